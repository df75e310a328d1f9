import { createHash } from "node:crypto";
import { symlinkSync } from "node:fs";
import { resolve } from "node:path";
import { quotedString } from "@duckdb/node-api";
import * as v from "valibot";
import type { DuckDbSession } from "./duckdb-session.ts";
import { readBytes } from "./file-bytes.ts";
import { ImportError, messageOf, NO_FAULTS } from "./import-error.ts";
import { parquetColumn } from "./parquet-column.ts";
import type { Source } from "./source.ts";

const Described = v.array(v.object({ column_name: v.string(), column_type: v.string() }));
const Named = v.array(v.object({ name: v.string() }));
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
  let instants: v.InferOutput<typeof Named>;
  try {
    [{ rows }] = v.parse(Counted, await duckdb.rows(`SELECT count(*) AS rows FROM ${relation}`));
    described = v.parse(Described, await duckdb.rows(`DESCRIBE FROM ${relation}`));
    instants = v.parse(Named, await duckdb.rows(`SELECT name FROM parquet_schema(${quotedString(link)}) WHERE type = 'INT96'`));
  } catch (error) {
    throw new ImportError(`${file} is a corrupt Parquet file: ${messageOf(error).split("\n")[0]}`);
  }
  if (rows === 0) throw new ImportError(`${file} has no rows`);
  return {
    columns: described.map(({ column_name: name, column_type: type }) =>
      parquetColumn(name, instants.some((column) => column.name === name) ? "INT96" : type),
    ),
    relation,
    parallelRelation: relation,
    rows,
    checksum: hash.digest("hex"),
    unit: "row",
    positionOf: (row) => row,
    malformed: NO_FAULTS,
  };
}
