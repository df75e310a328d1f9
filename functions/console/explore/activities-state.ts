import { batch, computed, effect, signal } from "@preact/signals";
import { messageOf } from "../../../shared/runtime/error-message.ts";
import { allGeographies, findGeographies, type Geography } from "../api/geographies.ts";
import type { Box } from "../api/geometry.ts";
import { type ActivityColumns, fetchActivities, type PreviewQuery } from "../api/previews.ts";
import { country, onSignOut } from "../session/session.ts";
import { type Classing, classBounds } from "./classes.ts";
import { dayWindow, view } from "./state.ts";

/** Types whose geographies are asked for by the view, because a country has too many. */
const BY_VIEW = ["grid_250m", "grid_1000m", "admin_level_4"];
/** From which zoom on they are asked for: before, the view has more than an answer. */
const ZOOM_MIN: Readonly<Record<string, number>> = { admin_level_4: 6, grid_1000m: 7.5, grid_250m: 10.5 };
export const CLASSES = 6;
const AREAS_MAX = 5000;

export const geoType = signal("admin_level_2");
export const measure = signal("sum_unique_people");
export const classing = signal<Classing>("quantile");
export const hour = signal(12);
export const isPlaying = signal(false);
/** The areas of the chart, at most two, by id. */
export const selected = signal<readonly number[]>([]);

/** The part of the map that is seen, and its zoom. */
export const mapView = signal<{ readonly box: Box; readonly zoom: number } | undefined>(undefined);

export const isLoading = signal(false);
export const isTooFar = signal(false);
export const activitiesFault = signal<string | undefined>(undefined);
const columns = signal<ActivityColumns | undefined>(undefined);
export const areas = signal<ReadonlyMap<number, Geography>>(new Map());
export const shownColumns = computed(() => (view.value === "activities" ? columns.value : undefined));

onSignOut(() =>
  batch(() => {
    columns.value = undefined;
    areas.value = new Map();
    selected.value = [];
    isPlaying.value = false;
  }),
);

/** The types and measures that the country offers. */
export const offer = computed(() => country.value?.products.find(({ agg_type }) => agg_type === "activities"));

/** The type that is shown: the chosen one if the country offers it. */
export const shownType = computed(() => {
  const types = offer.value?.hourly_geo_types ?? [];
  return types.includes(geoType.value) ? geoType.value : types[0];
});

/** The query of a day, with the country and the type whose areas are drawn. */
type ActivitiesQuery = PreviewQuery & { readonly country_code: string; readonly geo_type: string };

/** What is asked for; undefined while something is missing. */
const asked = computed((): ActivitiesQuery | "too far" | undefined => {
  const [code, window, type] = [country.value?.country_code, dayWindow.value, shownType.value];
  if (view.value !== "activities" || code === undefined || !window || type === undefined) return undefined;
  const isByView = BY_VIEW.includes(type);
  if (isByView && mapView.value && mapView.value.zoom < (ZOOM_MIN[type] ?? 0)) return "too far";
  const box = isByView ? mapView.value?.box : country.value?.extent;
  if (!box) return undefined;
  return {
    agg_type: "activities",
    country_code: code,
    measure: measure.value,
    activity_type: "hourly",
    geo_type: type,
    bbox: box.map((side) => side.toFixed(4)).join(","),
    format: "columns",
    ...window,
  };
});

/** The same as a text: the day is asked for again if it says something else, not whenever the map rests. */
const askedText = computed(() => JSON.stringify(asked.value));

/** The query of what is shown, for "as code". */
export const activitiesQuery = computed((): PreviewQuery | undefined => (asked.value === "too far" ? undefined : asked.value));

const REST_MS = 250;

const tries = signal(0);

/** Asks for the day once more, because that failed. */
export function askAgain(): void {
  tries.value++;
}

// The day is asked for once the map rests.
effect(() => {
  void tries.value;
  void askedText.value;
  const question = asked.peek();
  isTooFar.value = question === "too far";
  if (question === undefined || question === "too far") {
    columns.value = undefined;
    isLoading.value = false;
    return undefined;
  }
  const abort = new AbortController();
  const timer = setTimeout(() => void load(question, abort.signal), REST_MS);
  return () => {
    clearTimeout(timer);
    abort.abort();
  };
});

async function load(query: ActivitiesQuery, signal: AbortSignal): Promise<void> {
  isLoading.value = true;
  try {
    const { country_code: code, geo_type: type } = query;
    const box = mapView.peek()?.box;
    const [found, geographies] = await Promise.all([
      fetchActivities(query, signal),
      BY_VIEW.includes(type) && box
        ? findGeographies({ country: code, geoType: type, box, signal }, AREAS_MAX)
        : allGeographies(code, type),
    ]);
    if (signal.aborted) return;
    batch(() => {
      areas.value = new Map(geographies.map((one) => [one.id, one]));
      columns.value = found;
      hour.value = Math.min(hour.value, Math.max(0, found.time_buckets.length - 1));
      activitiesFault.value = undefined;
    });
  } catch (error) {
    if (!signal.aborted) activitiesFault.value = messageOf(error);
  } finally {
    if (!signal.aborted) isLoading.value = false;
  }
}

/** Whether the shown hour has no data yet: the day is not over, and no later hour has a value. */
const isYetToCome = computed(() => {
  const isOver = Date.parse(dayWindow.value?.end_time ?? "") <= Date.now();
  const rows = shownColumns.value?.values ?? [];
  return !isOver && hour.value > rows.findLastIndex((row) => row.some((value) => value !== null));
});

/** The values of the shown hour by id; null is withheld, or nobody. Empty for an hour that is yet to come. */
export const hourValues = computed((): ReadonlyMap<number, number | null> => {
  const found = shownColumns.value;
  if (isYetToCome.value) return new Map();
  const row = found?.values[hour.value] ?? [];
  return new Map((found?.geo_ids ?? []).map((id, index) => [id, row[index] ?? null]));
});

/** The lower bounds of the classes, the same for all hours of the day so that colours can be compared. */
export const bounds = computed(() =>
  classBounds(
    (shownColumns.value?.values ?? []).flat().filter((value) => value !== null),
    CLASSES,
    classing.value,
  ),
);

/** The values of an area in all hours of the day. */
export function seriesOf(id: number): (number | null)[] {
  const found = shownColumns.value;
  const index = found?.geo_ids.indexOf(id) ?? -1;
  return (found?.values ?? []).map((row) => row[index] ?? null);
}

/** Adds an area to the chart, or takes it away; the older of two makes room. */
export function toggleSelected(id: number): void {
  selected.value = selected.value.includes(id) ? selected.value.filter((other) => other !== id) : [...selected.value, id].slice(-2);
}
