import * as v from "valibot";
import { LOCATION, PROJECT, type WarehouseUnderTest } from "../../engines/warehouse-under-test.ts";

/** A value as the REST API writes it: scalars are strings, arrays and structs are lists. */
export type WireValue = string | null | readonly WireValue[];

/**
 * A GoogleSQL expression (or a whole query of one row and column), its type in the REST API's notation (`INTEGER[]` for an array) and its
 * value.
 */
export type Case = readonly [sql: string, type: string, value: WireValue];

/** A query that fails with 400 `invalidQuery`, and a part of the message that names the unsupported part. */
export type Refusal = readonly [sql: string, message: string];

interface Cell {
  v: string | null | Cell[] | { f: Cell[] };
}

const CellSchema: v.GenericSchema<Cell> = v.object({
  v: v.union([v.null(), v.string(), v.array(v.lazy(() => CellSchema)), v.object({ f: v.array(v.lazy(() => CellSchema)) })]),
});

const AnswerSchema = v.object({
  schema: v.object({ fields: v.array(v.object({ type: v.string(), mode: v.string() })) }),
  rows: v.array(v.object({ f: v.array(CellSchema) })),
});

const FaultSchema = v.object({
  error: v.object({ code: v.number(), message: v.string(), errors: v.array(v.object({ reason: v.string() })) }),
});

function plain(cell: Cell): WireValue {
  if (cell.v === null || typeof cell.v === "string") return cell.v;
  return (Array.isArray(cell.v) ? cell.v : cell.v.f).map(plain);
}

async function answerOf(warehouse: WarehouseUnderTest, query: string, queryParameters: readonly object[]): Promise<unknown> {
  const response = await fetch(`${warehouse.origin}/bigquery/v2/projects/${PROJECT}/queries`, {
    method: "POST",
    headers: { authorization: `Bearer ${warehouse.tokenOf("functions")}`, "content-type": "application/json" },
    body: JSON.stringify({
      query,
      useLegacySql: false,
      location: LOCATION,
      formatOptions: { timestampOutputFormat: "ISO8601_STRING" },
      ...(queryParameters.length > 0 ? { parameterMode: "NAMED", queryParameters } : {}),
    }),
  });
  return response.json();
}

/** Returns the type and the value of a query of one row and one column, run through the whole server. Fails if it returns anything else. */
export async function resultOf(
  warehouse: WarehouseUnderTest,
  sql: string,
  queryParameters: readonly object[] = [],
): Promise<readonly [type: string, value: WireValue]> {
  const query = /^(SELECT|WITH)\b/.test(sql) ? sql : `SELECT ${sql}`;
  const answer = await answerOf(warehouse, query, queryParameters);
  const parsed = v.safeParse(AnswerSchema, answer);
  if (!parsed.success) throw new Error(`${query}: ${JSON.stringify(answer)}`);
  const { schema, rows } = parsed.output;
  const [field, ...otherFields] = schema.fields;
  const [cell] = rows[0]?.f ?? [];
  if (!field || !cell || otherFields.length > 0 || rows.length > 1) throw new Error(`${query} does not return exactly one value`);
  return [field.mode === "REPEATED" ? `${field.type}[]` : field.type, plain(cell)];
}

/** Returns the error of a failing query. */
export async function faultOf(
  warehouse: WarehouseUnderTest,
  sql: string,
): Promise<{ code: number; reason: string | undefined; message: string }> {
  const answer = await answerOf(warehouse, sql, []);
  const parsed = v.safeParse(FaultSchema, answer);
  if (!parsed.success) throw new Error(`${sql} is not rejected: ${JSON.stringify(answer)}`);
  const { code, message, errors } = parsed.output.error;
  return { code, message, reason: errors[0]?.reason };
}
