import { createHash } from "node:crypto";
import { symlinkSync } from "node:fs";
import { resolve } from "node:path";
import { quotedIdentifier, quotedString } from "@duckdb/node-api";
import * as v from "valibot";
import type { DuckDbSession } from "./duckdb-session.ts";
import { readBytes } from "./file-bytes.ts";
import { ImportError, messageOf, NO_FAULTS } from "./import-error.ts";
import type { Source, SourceColumn } from "./source.ts";

const Described = v.array(v.object({ column_name: v.string(), column_type: v.string() }));
const Counted = v.tuple([v.object({ rows: v.pipe(v.string(), v.transform(Number)) })]);

/** Opens a Parquet file. Rows count from 1. Throws an ImportError for a corrupt file. */
export async function readParquet(file: string, duckdb: DuckDbSession): Promise<Source> {
  const hash = createHash("sha256");
  await readBytes(file, { gzip: false, hash, take: () => undefined });
  const link = duckdb.path("source.parquet");
  symlinkSync(resolve(file), link);
  const relation = `read_parquet(${quotedString(link)})`;
  let rows: number;
  let described: v.InferOutput<typeof Described>;
  try {
    [{ rows }] = v.parse(Counted, await duckdb.rows(`SELECT count(*) AS rows FROM ${relation}`));
    described = v.parse(Described, await duckdb.rows(`DESCRIBE FROM ${relation}`));
  } catch (error) {
    throw new ImportError(`${file} is a corrupt Parquet file: ${messageOf(error).split("\n")[0]}`);
  }
  if (rows === 0) throw new ImportError(`${file} has no rows`);
  return {
    columns: described.map((column) => textColumn(column.column_name, column.column_type)),
    relation,
    parallelRelation: relation,
    rows,
    checksum: hash.digest("hex"),
    unit: "row",
    positionOf: (row) => row,
    malformed: NO_FAULTS,
  };
}

function textColumn(name: string, type: string): SourceColumn {
  const value = quotedIdentifier(name);
  const text = `CAST(${value} AS VARCHAR)`;
  // Pandas stores integer columns with gaps as floating point. Their text must stay an integer, however large.
  if (type === "DOUBLE" || type === "FLOAT")
    return {
      name,
      text: `CASE WHEN ${value} = trunc(${value}) AND abs(${value}) < 1e18 THEN CAST(CAST(${value} AS BIGINT) AS VARCHAR) ELSE ${text} END`,
    };
  if (/\[\]|^(STRUCT|MAP|UNION|BLOB|GEOMETRY|VARIANT)/.test(type))
    return { name, text, unreadable: `is of type ${type}; it must be text, a number, a date or a time` };
  return { name, text };
}
