import { batch, computed, signal } from "@preact/signals";
import { messageOf } from "../../../shared/runtime/error-message.ts";
import { type Batch, fetchAvailability } from "../api/availability.ts";
import { addDays, dayOf, dayStart } from "../format/days.ts";
import { country, onSignOut } from "../session/session.ts";

export const VIEWS = ["activities", "odm", "flow"] as const;
export type View = (typeof VIEWS)[number];

export const view = signal<View>("activities");

/** The tables whose days the views show. */
const TABLES: Readonly<Record<View, string>> = { activities: "activities_hourly", odm: "odm_daily", flow: "flows_hourly" };
/** How many days back are looked for at first, and how many more at a time. */
const DAYS_BACK = 120;

export const daysBack = signal(DAYS_BACK);
/** What was found last, with the country that it is of. */
const found = signal<{ readonly countryCode: string; readonly batches: readonly Batch[] } | undefined>(undefined);
const chosenDay = signal<string | undefined>(undefined);
export const daysFault = signal<string | undefined>(undefined);

onSignOut(() =>
  batch(() => {
    found.value = undefined;
    chosenDay.value = undefined;
    daysBack.value = DAYS_BACK;
  }),
);

/** The days that the view has with what was loaded on each, oldest first; undefined until they are read. */
export const loadedDays = computed((): ReadonlyMap<string, Batch> | undefined => {
  if (!found.value || found.value.countryCode !== country.value?.country_code) return undefined;
  const batches = found.value.batches.filter(({ table_name }) => table_name === TABLES[view.value]);
  return new Map(batches.map((one) => [one.batch_date, one] as const).sort(([a], [b]) => (a < b ? -1 : 1)));
});

const days = computed(() => [...(loadedDays.value?.keys() ?? [])]);

/** A geography type whose values are published, or a pair of types. */
export type PublishedTypes = Pick<Batch["geo_types"][number], "geo_type" | "destination_geo_type">;

/**
 * The share of people that no value of the shown day counts, in percent; null if the service does not tell it, undefined without a day's
 * data of that type.
 */
export function withheldPercent({ geo_type, destination_geo_type }: PublishedTypes): number | null | undefined {
  return loadedDays.value
    ?.get(day.value ?? "")
    ?.geo_types.find((type) => type.geo_type === geo_type && type.destination_geo_type === destination_geo_type)?.withheld_people_percent;
}

/** The day that is shown: the chosen one, or else the newest that is over; undefined while there is none. */
export const day = computed((): string | undefined => {
  if (chosenDay.value !== undefined) return chosenDay.value;
  const today = dayOf(Date.now(), country.value?.time_zone ?? "UTC");
  return days.value.findLast((one) => one < today) ?? days.value.at(-1);
});

/** The days with data next to the shown one, which may have none itself: it was chosen for another product or country. */
export const nextDays = computed(() => {
  const shown = day.value;
  if (shown === undefined) return {};
  return { before: days.value.findLast((one) => one < shown), after: days.value.find((one) => one > shown) };
});

/** Whether the view has data on the shown day; undefined until that is known. */
export const hasDay = computed((): boolean | undefined => loadedDays.value?.has(day.value ?? ""));

export function chooseDay(chosen: string): void {
  chosenDay.value = chosen;
}

/** Looks for days further back. */
export function lookFurtherBack(): void {
  daysBack.value += DAYS_BACK;
}

const tries = signal(0);

/** Reads the days once more, because that failed. */
export function askAgain(): void {
  tries.value++;
}

/** Reads which days there are. Returns what stops it. */
export function loadDays(): () => void {
  const { country_code: code, time_zone: zone } = country.value ?? {};
  if (code === undefined || zone === undefined) return () => undefined;
  void tries.value;
  let isCurrent = true;
  const today = dayOf(Date.now(), zone);
  fetchAvailability(code, addDays(today, -daysBack.value), today).then(
    (batches) => {
      if (!isCurrent) return;
      found.value = { countryCode: code, batches };
      daysFault.value = undefined;
    },
    (error: unknown) => {
      if (isCurrent) daysFault.value = messageOf(error);
    },
  );
  return () => {
    isCurrent = false;
  };
}

/** The instants at which the shown day begins and ends; undefined while it is not known, or has no data. */
export const dayWindow = computed(() => {
  const [shown, zone] = [day.value, country.value?.time_zone];
  if (shown === undefined || zone === undefined || !hasDay.value) return undefined;
  return { start_time: dayStart(shown, zone), end_time: dayStart(addDays(shown, 1), zone) };
});
