import * as v from "valibot";
import type { DuckDbSession } from "./duckdb-session.ts";
import { FAULTS_SHOWN_MAX, type Fault, type Faults, NO_FAULTS } from "./import-error.ts";
import type { Source } from "./source.ts";

const VALUE_SHOWN_MAX = 80;

/** Start of the error text of a missing value; there is no value to show. */
export const MISSING = "a value is missing";

const Row = v.pipe(v.string(), v.transform(Number));
const FaultRows = v.array(
  v.object({ row: Row, column: v.nullable(v.string()), value: v.nullable(v.string()), says: v.string(), twin: v.nullable(Row) }),
);
const Total = v.tuple([v.object({ total: Row })]);

/** The columns of a query for errors. `twin` is an earlier row with the same key. */
export interface FaultColumns {
  readonly row: string;
  readonly column?: string;
  readonly value?: string;
  readonly says: string;
  readonly twin?: string;
}

/** Returns the select list of a query for errors; each member is a DuckDB expression. */
export function faultColumns({
  row,
  column = "CAST(NULL AS VARCHAR)",
  value = "CAST(NULL AS VARCHAR)",
  says,
  twin = "CAST(NULL AS BIGINT)",
}: FaultColumns): string {
  return `${row} AS "row", ${column} AS "column", ${value} AS value, ${says} AS says, ${twin} AS twin`;
}

/** Returns how many errors the queries find. */
export async function countFaults(duckdb: DuckDbSession, queries: readonly string[]): Promise<number> {
  if (queries.length === 0) return 0;
  const [{ total }] = v.parse(Total, await duckdb.rows(`SELECT count(*) AS total FROM (${allOf(queries)})`));
  return total;
}

/** Returns the errors that the queries find. */
export async function findFaults(source: Source, duckdb: DuckDbSession, queries: readonly string[]): Promise<Faults> {
  const total = await countFaults(duckdb, queries);
  if (total === 0) return NO_FAULTS;
  const all = allOf(queries);
  const rows = v.parse(FaultRows, await duckdb.rows(`SELECT * FROM (${all}) ORDER BY "row", "column" LIMIT ${FAULTS_SHOWN_MAX}`));
  const first = rows.map(({ row, column, value, says, twin }): Fault => {
    const of = column === null ? "" : `, column ${column}`;
    const twinAt = twin === null ? "" : ` as ${source.placeOf(twin)}`;
    const shown = says.startsWith(MISSING) ? "" : sayValue(value);
    return { where: source.placeOf(row), position: source.positionOf(row), says: `${of}: ${shown}${says}${twinAt}` };
  });
  return { first, total };
}

function allOf(queries: readonly string[]): string {
  return queries.map((query) => `(${query})`).join(" UNION ALL ");
}

/** Returns a value in quotation marks, truncated if long, with a trailing space; an empty text for a missing value. */
export function sayValue(value: string | null): string {
  if (value === null) return "";
  return `${JSON.stringify(value.length > VALUE_SHOWN_MAX ? `${value.slice(0, VALUE_SHOWN_MAX)}…` : value)} `;
}
