import { batch, computed, signal } from "@preact/signals";
import { type Batch, fetchAvailability } from "../api/availability.ts";
import { messageOf } from "../api/problem.ts";
import { addDays, dayOf, dayStart } from "../format/days.ts";
import { country, onSignOut } from "../session/session.ts";

export const VIEWS = ["activities", "odm", "flow"] as const;
export type View = (typeof VIEWS)[number];

export const view = signal<View>("activities");

/** The tables whose days the views show. */
const TABLES: Readonly<Record<View, string>> = { activities: "activities_hourly", odm: "odm_daily", flow: "flows_hourly" };
const DAYS_BACK = 120;

const batches = signal<readonly Batch[]>([]);
const chosenDay = signal<string | undefined>(undefined);
export const daysFault = signal<string | undefined>(undefined);

onSignOut(() =>
  batch(() => {
    batches.value = [];
    chosenDay.value = undefined;
  }),
);

/** The days that the view has, oldest first. */
export const days = computed(() =>
  batches.value
    .filter(({ table_name }) => table_name === TABLES[view.value])
    .map(({ batch_date }) => batch_date)
    .sort(),
);

/** A geography type whose values are published, or a pair of types. */
export type PublishedTypes = Pick<Batch["geo_types"][number], "geo_type" | "destination_geo_type">;

/**
 * The share of people that no value of the shown day counts, in percent; null if the service does not tell it, undefined without a day's
 * data of that type.
 */
export function withheldPercent({ geo_type, destination_geo_type }: PublishedTypes): number | null | undefined {
  const shown = batches.value.find((one) => one.table_name === TABLES[view.value] && one.batch_date === day.value);
  return shown?.geo_types.find((type) => type.geo_type === geo_type && type.destination_geo_type === destination_geo_type)
    ?.withheld_people_percent;
}

/** The day that is shown: the chosen one, or else the newest that is over. */
export const day = computed((): string | undefined => {
  if (chosenDay.value !== undefined) return chosenDay.value;
  const today = dayOf(Date.now(), country.value?.time_zone ?? "UTC");
  return days.value.findLast((one) => one < today) ?? days.value.at(-1);
});

export function chooseDay(chosen: string): void {
  chosenDay.value = chosen === "" ? undefined : chosen;
}

/** The next or the previous day that there is. */
export function moveDay(by: -1 | 1): void {
  const index = days.value.indexOf(day.value ?? "");
  const moved = days.value[index + by];
  if (index >= 0 && moved !== undefined) chosenDay.value = moved;
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
  fetchAvailability(code, addDays(today, -DAYS_BACK), today).then(
    (found) => {
      if (!isCurrent) return;
      batches.value = found;
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

/** The instants at which the shown day begins and ends; undefined while it is not known. */
export const dayWindow = computed(() => {
  const [shown, zone] = [day.value, country.value?.time_zone];
  if (shown === undefined || zone === undefined) return undefined;
  return { start_time: dayStart(shown, zone), end_time: dayStart(addDays(shown, 1), zone) };
});
