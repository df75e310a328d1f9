import * as v from "valibot";

export const UNSUPPORTED = "is not supported by the local BigQuery";

/**
 * A member that BigQuery knows and this server does not support. A value that changes nothing is accepted: absent, null, false, empty. Any
 * other is refused by name, since ignoring it would give another result. Members that BigQuery does not know are ignored, as it does.
 */
export const Unsupported = v.optional(v.custom<unknown>(isNeutral, UNSUPPORTED));

function isNeutral(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
