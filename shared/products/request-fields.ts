import * as v from "valibot";
import type { CountryRules } from "../countries/country-rules.ts";
import { invalidFields } from "../http/errors.ts";
import { Timestamp } from "../http/fields.ts";
import { schemaName } from "./result-meta.ts";
import type { TimeWindow } from "./time-window.ts";

export const ActivityType = v.pipe(v.picklist(["hourly", "daily"]), v.title("ActivityType"));
export type ActivityType = v.InferOutput<typeof ActivityType>;

const BooleanOrText = v.union([v.boolean(), v.picklist(["true", "false"])], "must be true or false");
const asBoolean = v.transform((full: v.InferOutput<typeof BooleanOrText>) => full === true || full === "true");

/** `full` as in the specification's examples: a boolean or its text. */
export const Full = v.pipe(BooleanOrText, v.title("Full"), asBoolean);

/** `full` of a query, where a boolean is its text: generated clients cannot send a choice of the two. */
export const FullQuery = v.pipe(BooleanOrText, v.metadata({ wire: { type: "boolean" } }), asBoolean);

export const Format = v.pipe(v.picklist(["csv", "parquet", "json"]), v.title("ExportFormat"));
export type Format = v.InferOutput<typeof Format>;

/** `format` of the preview of a product that answers rows only: a program that sends the default of all products is not refused. */
export const RowsOnly = v.optional(v.picklist(["rows"], "must be rows: columns are of activities only"), "rows");

/** Returns whether a window's start is before its end. Schemas report a failure at `end_time`. */
export function startsBeforeEnd(window: { readonly start_time: Date; readonly end_time: Date }): boolean {
  return window.start_time < window.end_time;
}
export const WINDOW_ORDER = "must be after start_time";
/** The same, of a window whose start has its deprecated name. */
export const ALIAS_ORDER = "must be after datetime_from";

/** Checks that exactly one of two optional fields is given, also while other fields are invalid. */
export function exactlyOneOf<T extends object>(fields: readonly [string, string], neither: string, both: string) {
  return v.rawCheck<T>(({ dataset: { value }, addIssue }) => {
    const { success, output: input } = v.safeParse(v.record(v.string(), v.unknown()), value);
    if (!success) return;
    const given = fields.filter((field) => field in input);
    const [key, message] = given.length === 0 ? [fields[0], neither] : [fields[1], both];
    if (given.length !== 1) addIssue({ message, path: [{ type: "object", origin: "value", input, key, value: input[key] }] });
  });
}

/** The fields of every stored request besides `agg_type` and `measure`. The country is resolved; times are ISO 8601 in UTC. */
export const STORED_FIELDS = {
  country_code: v.string(),
  activity_type: ActivityType,
  start_time: v.string(),
  end_time: v.string(),
  full: v.boolean(),
  format: Format,
};

/**
 * Returns the schema of a product's requests in responses: every member is one that `POST /data-agg` takes, in that form.
 * @param own the members that not all products have, and `measure`
 */
export function askedRequest(product: string, own: v.ObjectEntries) {
  const common = { ...STORED_FIELDS, start_time: Timestamp, end_time: Timestamp };
  return v.pipe(v.object({ agg_type: v.literal(product), ...common, ...own }), v.title(schemaName(product, "JobRequest")));
}

/**
 * The fields of a stored request of any product. They suffice for a job's status, its queue position and its export folder. The product
 * reads the rest.
 */
export const StoredRequestFields = v.looseObject({ agg_type: v.string(), measure: v.string(), ...STORED_FIELDS });

/** A request of any product, as stored with its job. */
export interface StoredRequest {
  readonly agg_type: string;
  readonly country_code: string;
  /** Part of the export folder's name, with the product and `activity_type`. */
  readonly measure: string;
  readonly activity_type: ActivityType;
  readonly start_time: string;
  readonly end_time: string;
  readonly full: boolean;
  readonly format: Format;
}

const DAY_MS = 86_400_000;

/** The names under which a window was sent, where it has others than `start_time` and `end_time`. `end` is undefined if it ends now. */
export interface WindowNames {
  readonly start: string;
  readonly end: string | undefined;
}

const PRESENT_NAMES: WindowNames = { start: "start_time", end: "end_time" };

/** Throws `invalid_argument` for a window with more days than the country's rules allow. */
export function requireWindow(
  request: Pick<StoredRequest, "start_time" | "end_time">,
  { windowDaysMax }: Pick<CountryRules, "windowDaysMax">,
  { start: from, end: to }: WindowNames = PRESENT_NAMES,
): void {
  const { start, end } = windowOf(request);
  if (end.getTime() - start.getTime() <= windowDaysMax * DAY_MS) return;
  throw invalidFields([
    to === undefined
      ? { pointer: `/${from}`, detail: `must be at most ${windowDaysMax} days before now, the default end_time` }
      : { pointer: `/${to}`, detail: `must be at most ${windowDaysMax} days after ${from}` },
  ]);
}

/** Returns the time window of a stored request. */
export function windowOf({ start_time, end_time }: Pick<StoredRequest, "start_time" | "end_time">): TimeWindow {
  return { start: new Date(start_time), end: new Date(end_time) };
}
