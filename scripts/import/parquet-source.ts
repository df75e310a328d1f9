import { createHash } from "node:crypto";
import { quotedIdentifier, quotedString } from "@duckdb/node-api";
import * as v from "valibot";
import { messageOf } from "../../shared/runtime/error-message.ts";
import type { DuckDbSession } from "./duckdb-session.ts";
import { readBytes } from "./file-bytes.ts";
import { ImportError, NO_FAULTS } from "./import-error.ts";
import { parquetColumn } from "./parquet-column.ts";
import { type ParquetPart, partsOf } from "./parquet-parts.ts";
import type { Source, SourceColumn } from "./source.ts";

const Described = v.array(v.object({ column_name: v.string(), column_type: v.string() }));
const Named = v.array(v.object({ name: v.string() }));
const Largest = v.tuple([v.object({ largest: v.nullable(v.number()) })]);
const Measured = v.array(v.object({ file_name: v.string(), rows: v.pipe(v.string(), v.transform(Number)) }));

/** From here on 32-bit floats skip whole numbers. */
const EXACT_FLOAT_MAX = 2 ** 24;

/** What the parts of a file say of themselves. */
interface Content {
  readonly relation: string;
  readonly columns: v.InferOutput<typeof Described>;
  /** The columns whose values are INT96 in the file. */
  readonly instants: readonly string[];
  /** How many rows each part has. */
  readonly rows: readonly number[];
}

/** Opens a Parquet file, or a folder with the parts of one. Rows count from 1 in each. Throws an ImportError for a corrupt file. */
export async function readParquet(file: string, duckdb: DuckDbSession): Promise<Source> {
  const parts = await partsOf(file, duckdb.path);
  const hash = createHash("sha256");
  for (const { path, columns } of parts) {
    for (const column of columns) hash.update(`${column}\n`);
    await readBytes(path, { gzip: false, hash, take: () => undefined });
  }
  const { relation, columns, instants, rows } = await contentOf(file, parts, duckdb);
  const total = rows.reduce((sum, count) => sum + count, 0);
  if (total === 0) throw new ImportError(`${file} has no rows`);
  return {
    columns: await Promise.all(
      columns.map(async ({ column_name: name, column_type: type }) => {
        const column = parquetColumn(name, instants.includes(name) ? "INT96" : type);
        return type === "FLOAT" ? refuseRounded(column, relation, duckdb) : column;
      }),
    ),
    relation,
    parallelRelation: relation,
    rows: total,
    checksum: hash.digest("hex"),
    placeOf: (row) => placeIn(parts, rows, row),
    positionOf: (row) => row,
    malformed: NO_FAULTS,
  };
}

async function contentOf(file: string, parts: readonly ParquetPart[], duckdb: DuckDbSession): Promise<Content> {
  const list = `[${parts.map(({ path }) => quotedString(path.replaceAll(/[*?[]/g, "[$&]"))).join(", ")}]`;
  // What folders say is text, as in a CSV file.
  const relation = `read_parquet(${list}, hive_partitioning = true, hive_types_autocast = false)`;
  try {
    const measured = v.parse(Measured, await duckdb.rows(`SELECT file_name, num_rows AS rows FROM parquet_file_metadata(${list})`));
    const counts = new Map(measured.map(({ file_name, rows }) => [file_name, rows]));
    const instants = v.parse(Named, await duckdb.rows(`SELECT DISTINCT name FROM parquet_schema(${list}) WHERE type = 'INT96'`));
    return {
      relation,
      columns: v.parse(Described, await duckdb.rows(`DESCRIBE FROM ${relation}`)),
      instants: instants.map(({ name }) => name),
      rows: parts.map(({ path }) => counts.get(path) ?? 0),
    };
  } catch (error) {
    const [says = ""] = messageOf(error).split("\n");
    const named = parts.reduce((text, { path, name }) => text.replaceAll(path, name ?? file), says);
    throw new ImportError(`${file} is ${parts.length > 1 ? "no whole" : "a corrupt"} Parquet file: ${named}`);
  }
}

/** Returns a column of 32-bit floats that has no whole numbers if one of its values may have been rounded to one, as an id of nine digits is. */
async function refuseRounded(column: SourceColumn, relation: string, duckdb: DuckDbSession): Promise<SourceColumn> {
  const rows = await duckdb.rows(`SELECT max(abs(${quotedIdentifier(column.name)}))::DOUBLE AS largest FROM ${relation}`);
  const [{ largest }] = v.parse(Largest, rows);
  if (largest === null || largest < EXACT_FLOAT_MAX) return column;
  const unreadable = `is of 32-bit floats, which hold whole numbers exactly only below ${EXACT_FLOAT_MAX.toLocaleString("en")}, and has larger ones; write them as integers or 64-bit floats, from where they are exact`;
  return { ...column, into: { INT64: { text: column.text, unreadable } } };
}

/** Returns where a row of all parts is. */
function placeIn(parts: readonly ParquetPart[], rows: readonly number[], row: number): string {
  let before = 0;
  for (const [index, { name }] of parts.entries()) {
    const count = rows[index] ?? 0;
    if (row <= before + count) return name === undefined ? `row ${row}` : `${name}, row ${row - before}`;
    before += count;
  }
  return `row ${row}`;
}
