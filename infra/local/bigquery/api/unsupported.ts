import * as v from "valibot";

export const UNSUPPORTED = "is not supported by the local BigQuery";

/**
 * A member that BigQuery knows and this server does not support. A value that changes nothing is accepted: absent, null, false, empty. Any
 * other is refused by name, since ignoring it would give another result. Members that BigQuery does not know are ignored, as it does.
 */
export const Unsupported = unsupportedBut();

/** Like `Unsupported`, for a member one or more of whose values name what this server does. */
export function unsupportedBut(...served: readonly string[]) {
  return v.optional(v.custom<unknown>((value) => isNeutral(value) || served.some((name) => name === value), UNSUPPORTED));
}

function isNeutral(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
