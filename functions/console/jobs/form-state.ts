import { computed, signal } from "@preact/signals";
import type { Country, Product } from "../api/account.ts";
import type { JobRequest } from "../api/jobs.ts";
import { addDays, dayOf, dayStart, lastOfDays } from "../format/days.ts";
import { formatDate } from "../format/format.ts";
import { placeOf } from "../format/place.ts";
import { country, onSignOut } from "../session/session.ts";
import { text } from "../texts.ts";
import { geoTypesOf } from "./geo-types.ts";

/** What people choose in the form of a job, as it stands in the fields. */
export interface JobForm {
  readonly product: string;
  readonly measure: string;
  readonly activityType: string;
  readonly geoType: string;
  readonly destinationType: string;
  readonly firstDay: string;
  readonly lastDay: string;
  /** Ids of geographies, separated by commas or spaces; empty for all. */
  readonly ids: string;
  readonly destinationIds: string;
  /** A coordinate for Flow, latitude first, as maps show it. */
  readonly place: string;
  readonly full: boolean;
  readonly format: string;
}

/** The id of the form on the page. */
export const JOB_FORM = "job-form";

const DAYS_AGO = 2;
const form = signal<JobForm | undefined>(undefined);
onSignOut(() => {
  form.value = undefined;
});

/** The products of the country, in the order of the API. */
export const products = computed((): readonly Product[] => country.value?.products ?? []);

/** The form, with every choice that the country does not offer replaced by one that it does. */
export const jobForm = computed((): JobForm | undefined => {
  const chosen = country.value;
  const product = products.value.find(({ agg_type }) => agg_type === form.value?.product) ?? products.value[0];
  if (!chosen || !product) return undefined;
  const stored = form.value ?? blank(chosen);
  const offered = (value: string, values: readonly string[]): string => (values.includes(value) ? value : (values[0] ?? ""));
  const measure = offered(stored.measure, product.measures);
  const activityType = offered(stored.activityType, product.activity_types);
  const geoType = offered(stored.geoType, geoTypesOf(product, { measure, activityType }));
  return {
    ...stored,
    product: product.agg_type,
    measure,
    activityType,
    geoType,
    destinationType: product.mixed ? offered(stored.destinationType, product.geo_types) : geoType,
  };
});

export function changeForm(change: Partial<JobForm>): void {
  if (jobForm.value) form.value = { ...jobForm.value, ...change };
}

/** Fills in the whole form. */
export function fillForm(filled: JobForm): void {
  form.value = filled;
}

function blank({ time_zone }: Country): JobForm {
  const day = addDays(dayOf(Date.now(), time_zone), -DAYS_AGO);
  return {
    ...{ product: "", measure: "", activityType: "", geoType: "", destinationType: "" },
    ...{ firstDay: day, lastDay: day, ids: "", destinationIds: "", place: "", full: true, format: "csv" },
  };
}

/** Ids of a field; undefined for an empty one. Throws an error for people for what is no id. */
export function idsOf(field: string): number[] | undefined {
  const words = field.split(/[\s,;]+/).filter((word) => word !== "");
  const wrong = words.find((word) => !/^\d{1,16}$/.test(word));
  if (wrong !== undefined) throw new Error(text("jobs.badId", { word: wrong }));
  return words.length === 0 ? undefined : words.map(Number);
}

/** The body of the job that the form describes. Throws an error for people if a field is wrong. */
export function requestOf(current: JobForm, { country_code, time_zone, window_days_max }: Country): JobRequest {
  const { product, firstDay, lastDay } = current;
  if (firstDay === "" || lastDay === "") throw new Error(text("jobs.noDays"));
  if (firstDay > lastDay) throw new Error(text("jobs.daysReversed"));
  const lastPossible = lastOfDays(firstDay, window_days_max, time_zone);
  if (lastDay > lastPossible) throw new Error(text("jobs.tooManyDays", { most: window_days_max, day: formatDate(lastPossible) }));
  const common = {
    agg_type: product,
    country_code,
    start_time: dayStart(firstDay, time_zone),
    end_time: dayStart(addDays(lastDay, 1), time_zone),
    full: current.full,
    ...(current.full ? { format: current.format } : {}),
  };
  if (product === "flow") {
    const place = placeOf(current.place);
    if (!place) throw new Error(text("jobs.badPlace"));
    return { ...common, ...place };
  }
  if (product === "odm")
    return {
      ...common,
      measure: "trips",
      origin_geo_type: current.geoType,
      destination_geo_type: current.destinationType,
      origin_geo_ids: idsOf(current.ids),
      destination_geo_ids: idsOf(current.destinationIds),
    };
  return {
    ...common,
    measure: current.measure,
    activity_type: current.activityType,
    geo_type: current.geoType,
    geo_ids: idsOf(current.ids),
  };
}
