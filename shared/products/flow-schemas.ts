import * as v from "valibot";
import { CountryCode, Format, Full, Instant, Timestamp, WINDOW_ORDER } from "../countries/request-fields.ts";

const LATITUDE = "must be a latitude: a number of degrees from -90 to 90";
const LONGITUDE = "must be a longitude: a number of degrees from -180 to 180";
const Latitude = v.pipe(v.number(LATITUDE), v.minValue(-90, LATITUDE), v.maxValue(90, LATITUDE));
const Longitude = v.pipe(v.number(LONGITUDE), v.minValue(-180, LONGITUDE), v.maxValue(180, LONGITUDE));
const decimal = (fault: string) => v.pipe(v.string(fault), v.regex(/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/, fault), v.transform(Number));

const alias = (name: string) => v.pipe(v.optional(Instant), v.metadata({ deprecated: true, description: `Deprecated alias of ${name}` }));

/** Where and when, whatever the form of the coordinate. The window's ends have an old name each. */
const Common = {
  agg_type: v.literal("flow"),
  country_code: v.optional(CountryCode),
  start_time: v.pipe(v.optional(Instant), v.description("Required, unless its deprecated alias datetime_from is given")),
  end_time: v.pipe(v.optional(Instant), v.description("Optional where the country's rules say so; now when left out")),
  datetime_from: alias("start_time"),
  datetime_to: alias("end_time"),
};

const Window = v.object({
  start_time: v.optional(v.date()),
  end_time: v.optional(v.date()),
  datetime_from: v.optional(v.date()),
  datetime_to: v.optional(v.date()),
});
type Window = v.InferOutput<typeof Window>;

/** The faults of a window, looked for whenever its own members are right, so that they are reported with those of the others. */
function windowCheck<T extends Window>() {
  return v.rawCheck<T>(({ dataset, addIssue }) => {
    const parsed = v.safeParse(Window, dataset.value);
    if (!parsed.success) return;
    const { start_time, end_time, datetime_from, datetime_to } = parsed.output;
    const fault = (key: keyof Window, message: string): void =>
      addIssue({ message, path: [{ type: "object", origin: "value", input: { ...parsed.output }, key, value: parsed.output[key] }] });
    if (start_time && datetime_from) fault("datetime_from", "is the deprecated alias of start_time: give one of the two");
    if (end_time && datetime_to) fault("datetime_to", "is the deprecated alias of end_time: give one of the two");
    const [start, end] = [start_time ?? datetime_from, end_time ?? datetime_to];
    if (!start) fault("start_time", "is required");
    else if (end && start >= end) fault(datetime_to ? "datetime_to" : "end_time", WINDOW_ORDER);
  });
}

/** The window under its present names, and whether an old one was used. `end_time` undefined stands for now. */
function withPresentNames<T extends Window>({ start_time, end_time, datetime_from, datetime_to, ...rest }: T) {
  const start = start_time ?? datetime_from;
  if (!start) throw new Error("A window without a start has passed its check");
  return { ...rest, start_time: start, end_time: end_time ?? datetime_to, deprecated: Boolean(datetime_from ?? datetime_to) };
}

/** The query of the flow preview. */
export const FlowQuery = v.pipe(
  v.strictObject({ ...Common, lat: v.pipe(decimal(LATITUDE), Latitude), lon: v.pipe(decimal(LONGITUDE), Longitude) }),
  windowCheck(),
  v.transform(withPresentNames),
);

/** The body of a Flow job. */
export const FlowBody = v.pipe(
  v.strictObject({
    ...Common,
    lat: Latitude,
    lon: Longitude,
    full: v.optional(Full, false),
    format: v.optional(Format, "csv"),
  }),
  windowCheck(),
  v.transform(withPresentNames),
);
export type FlowBody = v.InferOutput<typeof FlowBody>;

/** One row of Flow: a link, an hour and a direction. The last three are null in the one row of a link without flows in the window. */
export const FlowRow = v.strictObject({
  link_id: v.number(),
  link_name: v.string(),
  link_type: v.pipe(v.string(), v.description("Road class of OpenStreetMap, for example primary")),
  distance_m: v.pipe(v.number(), v.description("Metres from the coordinate to the link's line")),
  time_bucket: v.nullable(Timestamp),
  direction: v.pipe(v.nullable(v.picklist([-1, 1])), v.description("-1 or 1: against or along the link")),
  people: v.nullable(v.pipe(v.number(), v.integer())),
});
