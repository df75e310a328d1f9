import type { BigQueryError } from "../../model.ts";
import type { Env } from "../analyze/env.ts";
import { BIGQUERY_FUNCTIONS } from "./bigquery-names.ts";

/** The Levenshtein distance of two texts. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/**
 * Returns BigQuery's suggestion for a misspelt function, in lower case. Undefined if no name is near enough. The rule is that of GoogleSQL's
 * `ClosestName`: names of three letters or more, about a fifth of the letters wrong, the first in the alphabet if several are as near.
 */
function closestFunction(name: string): string | undefined {
  if (name.length < 3) return undefined;
  const most = name.length < 5 ? Math.floor(name.length / 2) : Math.floor(name.length / 5) + 2;
  const near = [...BIGQUERY_FUNCTIONS]
    .map((known) => ({ known, distance: editDistance(name.toUpperCase(), known) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance || (a.known < b.known ? -1 : 1));
  return near[0]?.known.toLowerCase();
}

/** Returns the error of a call that cannot be translated: what BigQuery has is not supported here, anything else BigQuery does not find. */
export function unknownFunction(name: string, at: number, env: Env): BigQueryError {
  if (BIGQUERY_FUNCTIONS.has(name))
    return env.context.fail(at, `Function ${name} is not supported by the local BigQuery (BigQuery itself has it)`);
  const closest = closestFunction(name);
  const written = env.context.text.slice(at, at + name.length);
  return env.context.fail(
    at,
    `Function not found: ${written.toUpperCase() === name ? written : name}${closest === undefined ? "" : `; Did you mean ${closest}?`}`,
  );
}
