import type { BitwiseOperator } from "../parse/ast.ts";
import { typeText } from "../sql-type.ts";
import { coerce } from "./coerce.ts";
import type { Context } from "./context.ts";
import type { Value } from "./value.ts";

const SQL: Readonly<Record<BitwiseOperator, (left: string, right: string) => string>> = {
  "&": (left, right) => `(${left} & ${right})`,
  "|": (left, right) => `(${left} | ${right})`,
  "^": (left, right) => `xor(${left}, ${right})`,
  "<<": (left, right) => `bq_shift_left(${left}, ${right})`,
  ">>": (left, right) => `bq_shift_right(${left}, ${right})`,
};

/** Translates a bitwise operator of two INT64. Throws for other types: that BigQuery also has them of BYTES is said. */
export function bitwise(context: Context, operator: BitwiseOperator, left: Value, right: Value, at: number): Value {
  if (left.type === "BYTES") throw context.fail(at, `${operator} of BYTES is not supported by the local BigQuery`);
  const [a, b] = [coerce(left, "INT64"), coerce(right, "INT64")];
  if (a !== undefined && b !== undefined) return { sql: SQL[operator](a, b), type: "INT64", at };
  const types = [left, right].map(({ type }) => typeText(type)).join(", ");
  throw context.fail(at, `No matching signature for operator ${operator} for argument types: ${types}`);
}
