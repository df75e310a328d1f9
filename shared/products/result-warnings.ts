import * as v from "valibot";
import type { CountryRules } from "../countries/country-rules.ts";
import type { ProductQuery } from "./product-query.ts";
import type { DataVersion } from "./result-meta.ts";
import type { SummaryRow } from "./summary.ts";
import { dateAfter, type PreviewSpan } from "./time-window.ts";

/** How many gaps, and how many ids, a warning names. */
const NAMED_MAX = 5;

const Code = v.picklist(["no_data", "no_published_rows", "rows_left_out", "unknown_ids", "window_clipped"]);
const Warning = v.pipe(v.strictObject({ code: Code, detail: v.string() }), v.title("Warning"));
export type Warning = v.InferOutput<typeof Warning>;

/** The warnings of a stored result. Those with a code of a newer release are left out, and its further members too. */
export const StoredWarnings = v.pipe(
  v.array(v.object({ code: v.string(), detail: v.string() })),
  v.transform((warnings) => warnings.flatMap(({ code, detail }): Warning[] => (v.is(Code, code) ? [{ code, detail }] : []))),
);

/** What a result lacks, so that an empty one explains itself. */
export const Warnings = v.pipe(
  v.array(Warning),
  v.description(
    "What the result lacks: days without data, ids that do not exist, geographies without published rows, and a window or rows that are shown in part. Empty if nothing",
  ),
);

/**
 * Returns the warnings of a query's result. They depend on the ledger and on published rows only: a geography whose rows are all withheld is
 * told like one where nobody was counted.
 */
export function warningsOf(query: ProductQuery, summary: SummaryRow, { timeZone }: CountryRules): Warning[] {
  const { first_date: first, last_date: last } = query.parameters;
  const missing = gaps(String(first?.value), String(last?.value), summary.data_versions);
  return [
    ...(missing.length > 0 ? [noData(missing, summary.newest_date, timeZone)] : []),
    ...(summary.unknown_ids.length > 0 ? [unknownIds(summary.unknown_ids)] : []),
    // Without any data, geographies are no news.
    ...(summary.data_versions.length > 0 ? withoutRows(query, summary) : []),
  ];
}

/** Returns the warning of a preview that shows only a part of the window, until `end` (ISO 8601). */
export function clippedAt(end: string, part: PreviewSpan): Warning {
  return { code: "window_clipped", detail: `Only the first ${CLIPPED[part]} shown, until ${end}; a job has all of it` };
}

const CLIPPED: Readonly<Record<PreviewSpan, string>> = { "24 hours": "24 hours of the window are", "civil day": "day of the window is" };

/** Returns the warning of a preview that shows only its largest rows. */
export function leftOut(shown: number, total: number): Warning {
  const counts = `the ${shown.toLocaleString("en")} largest of ${total.toLocaleString("en")} rows`;
  return { code: "rows_left_out", detail: `Only ${counts} are shown; a job has all of them` };
}

/** Civil days `YYYY-MM-DD`, both inclusive. */
interface Days {
  readonly first: string;
  readonly last: string;
}

/** Returns the days of a window without data, as ranges in order. */
function gaps(first: string, last: string, versions: readonly DataVersion[]): Days[] {
  const found: Days[] = [];
  let next = first;
  for (const { batch_date: date } of versions) {
    if (next < date) found.push({ first: next, last: dateAfter(date, -1) });
    next = dateAfter(date, 1);
  }
  return next <= last ? [...found, { first: next, last }] : found;
}

function noData(missing: readonly Days[], newest: string | null, timeZone: string): Warning {
  if (newest === null) return { code: "no_data", detail: "There is no data of this product in this country yet" };
  const ranges = missing.map(({ first, last }) => (first === last ? first : `${first} to ${last}`));
  const yet = missing.every(({ first }) => first > newest) ? " yet" : "";
  const days = `${listing(ranges)} (days of ${timeZone})`;
  return {
    code: "no_data",
    detail: `There is no data of ${days}${yet}; the newest is of ${newest}. GET /data-availability lists the days`,
  };
}

function unknownIds(ids: readonly number[]): Warning {
  const detail = `These ids are no geographies of the requested type and country: ${listing(ids)}. GET /geographies finds ids by name`;
  return { code: "unknown_ids", detail };
}

const EITHER = "nobody was counted there, or too few to publish, which is not told apart";

function withoutRows({ ids, parameters }: ProductQuery, summary: SummaryRow): Warning[] {
  const { total_rows, valued_rows = total_rows, unknown_ids, published_ids = {} } = summary;
  const unknown = new Set(unknown_ids);
  const warnings = ids.flatMap(({ parameter }): Warning[] => {
    const asked = parameters[parameter];
    if (asked?.type !== "ARRAY<INT64>") return [];
    const published = new Set(published_ids[parameter] ?? []);
    const missing = asked.value.filter((id) => !published.has(id) && !unknown.has(id));
    if (missing.length === 0) return [];
    const counts = `${missing.length.toLocaleString("en")} of ${asked.value.length.toLocaleString("en")} ${parameter}`;
    return [{ code: "no_published_rows", detail: `${counts} have no published row in the window: ${listing(missing)}; ${EITHER}` }];
  });
  if (warnings.length > 0 || valued_rows > 0 || ids.length > 0) return warnings;
  return [{ code: "no_published_rows", detail: `The window has no published row: ${EITHER}` }];
}

function listing(things: readonly (string | number)[]): string {
  const more = things.length - NAMED_MAX;
  return `${things.slice(0, NAMED_MAX).join(", ")}${more > 0 ? ` and ${more.toLocaleString("en")} more` : ""}`;
}
