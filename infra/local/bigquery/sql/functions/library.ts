import type { Env } from "../analyze/env.ts";
import type { Value } from "../analyze/value.ts";
import type { Call } from "../parse/ast.ts";
import { AGGREGATE_NAMES, aggregate, isAggregate } from "./aggregate.ts";
import { ARRAY } from "./array.ts";
import { CONDITIONAL } from "./conditional.ts";
import { DATE } from "./date.ts";
import { FORMAT } from "./format.ts";
import { GEOGRAPHY } from "./geography.ts";
import { NUMBER } from "./number.ts";
import { isNumbering, NUMBERING_NAMES, numbering } from "./numbering.ts";
import type { Library } from "./signature.ts";
import { TEXT } from "./text.ts";
import { TIMESTAMP } from "./timestamp.ts";

const SCALARS: Library = { ...CONDITIONAL, ...NUMBER, ...TEXT, ...DATE, ...TIMESTAMP, ...FORMAT, ...ARRAY, ...GEOGRAPHY };

/** The allow-list: a function that is not listed is rejected. A test checks values of every name. */
export const FUNCTION_NAMES: readonly string[] = [...Object.keys(SCALARS), ...AGGREGATE_NAMES, ...NUMBERING_NAMES];

/** Translates a call of a function on the allow-list. Throws `Function not found` for every other. */
export function callFunction(call: Call, env: Env): Value {
  if (isAggregate(call.name)) return aggregate(call, env);
  if (isNumbering(call.name)) return numbering(call, env);
  const implementation = Object.hasOwn(SCALARS, call.name) ? SCALARS[call.name] : undefined;
  if (!implementation) throw env.context.fail(call.at, `Function not found: ${call.name}`);
  const plain = !call.star && !call.distinct && !call.nulls && !call.limit && !call.over && call.orderBy.length === 0;
  if (!plain) throw env.context.fail(call.at, `${call.name} is not an aggregate or analytic function`);
  return implementation(call, env);
}
