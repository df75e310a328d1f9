import type { Env } from "../analyze/env.ts";
import type { Value } from "../analyze/value.ts";
import type { Call } from "../parse/ast.ts";
import { AGGREGATE_NAMES, aggregate, isAggregate } from "./aggregate.ts";
import { ANALYTIC_NAMES, analytic, isAnalytic } from "./analytic.ts";
import { ARRAY } from "./array.ts";
import { CONDITIONAL } from "./conditional.ts";
import { DATE } from "./date.ts";
import { DATETIME } from "./datetime.ts";
import { FORMAT } from "./format.ts";
import { GEOGRAPHY } from "./geography.ts";
import { JSON_FUNCTIONS } from "./json.ts";
import { NUMBER } from "./number.ts";
import { PARSE } from "./parse.ts";
import { PRINTF } from "./printf.ts";
import { REGEXP } from "./regexp.ts";
import { safeCall } from "./safe.ts";
import type { Library } from "./signature.ts";
import { anyTemporal } from "./temporal.ts";
import { TEXT } from "./text.ts";
import { TIMESTAMP } from "./timestamp.ts";
import { unknownFunction } from "./unknown.ts";

const SCALARS: Library = {
  ...CONDITIONAL,
  ...NUMBER,
  ...TEXT,
  ...anyTemporal({ DATE, DATETIME, TIMESTAMP }),
  ...FORMAT,
  ...PARSE,
  ...PRINTF,
  ...REGEXP,
  ...JSON_FUNCTIONS,
  ...ARRAY,
  ...GEOGRAPHY,
};

/** The allow-list: a function that is not listed is rejected. A test checks values of every name. */
export const FUNCTION_NAMES: readonly string[] = [...Object.keys(SCALARS), ...AGGREGATE_NAMES, ...ANALYTIC_NAMES];

/** Translates a call of a function on the allow-list. Throws for every other: what BigQuery has is not supported, the rest not found. */
export function callFunction(call: Call, env: Env): Value {
  const implementation = Object.hasOwn(SCALARS, call.name) ? SCALARS[call.name] : undefined;
  if (!implementation) {
    if (call.safe && (isAggregate(call.name) || isAnalytic(call.name)))
      throw env.context.fail(call.at, `SAFE.${call.name} is not supported by the local BigQuery: only scalar functions have SAFE here`);
    if (isAggregate(call.name)) return aggregate(call, env);
    if (isAnalytic(call.name)) return analytic(call, env);
    throw unknownFunction(call.name, call.at, env);
  }
  const plain = !call.star && !call.distinct && !call.nulls && !call.limit && !call.over && !call.having && call.orderBy.length === 0;
  if (!plain) throw env.context.fail(call.at, `${call.name} is not an aggregate or analytic function`);
  return call.safe ? safeCall(call, env, implementation) : implementation(call, env);
}
