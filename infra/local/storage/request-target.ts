import { invalid } from "./storage-fault.ts";

/** A request's path and query, split but not interpreted: dots and doubled slashes mean nothing to Cloud Storage. */
export interface RequestTarget {
  /** Still percent-encoded; what stood between the slashes. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

/**
 * Splits a raw request target. `new URL` would resolve `..` and `%2e%2e` here, and a check would then look at
 * another name than the client asked for. Throws a 400 for absolute and repeated things.
 */
export function parseTarget(target: string): RequestTarget {
  if (!target.startsWith("/")) throw invalid("Invalid request target.");
  const queryStart = target.indexOf("?");
  const path = queryStart < 0 ? target : target.slice(0, queryStart);
  const query = new URLSearchParams(queryStart < 0 ? "" : target.slice(queryStart + 1));
  for (const name of new Set(query.keys())) {
    if (query.getAll(name).length > 1) throw invalid(`Parameter given more than once: ${name}`);
  }
  return { segments: path.slice(1).split("/"), query };
}

/** Decodes once; `+` stays a plus, as in every path. Throws a 400 for what is not percent-encoded UTF-8. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalid("Malformed percent-encoding in the path.");
  }
}

/** A whole number from the query; `undefined` when absent. Throws a 400 for anything else. */
export function queryNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = Number(text);
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(value)) throw invalid(`Invalid value for ${name}: ${JSON.stringify(text)}`);
  return value;
}
