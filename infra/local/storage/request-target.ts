import { invalid } from "./storage-fault.ts";

/** A request's path and query, split but not normalised: dots and doubled slashes have no meaning in Cloud Storage. */
export interface RequestTarget {
  /** Still percent-encoded: the parts between the slashes. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

/**
 * Splits a raw request target. `new URL` would resolve `..` and `%2e%2e`, and a permission check would then see another name than the
 * client sent. Throws a 400 for absolute targets and repeated parameters.
 */
export function parseTarget(target: string): RequestTarget {
  if (!target.startsWith("/")) throw invalid("Invalid request target.");
  const path = pathOf(target);
  const query = new URLSearchParams(target.slice(path.length + 1));
  for (const name of new Set(query.keys())) {
    if (query.getAll(name).length > 1) throw invalid(`Parameter given more than once: ${name}`);
  }
  return { segments: path.slice(1).split("/"), query };
}

/** Returns the path of a raw request target, not decoded. */
export function pathOf(target: string): string {
  const queryStart = target.indexOf("?");
  return queryStart < 0 ? target : target.slice(0, queryStart);
}

/** Decodes once. `+` stays a plus, as in every path. Throws a 400 if the segment is not percent-encoded UTF-8. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalid("Malformed percent-encoding in the path.");
  }
}

/** Returns a non-negative integer from the query, `undefined` if absent. Throws a 400 for anything else. */
export function queryNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = Number(text);
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(value)) throw invalid(`Invalid value for ${name}: ${JSON.stringify(text)}`);
  return value;
}
