import { computed, effect, signal } from "@preact/signals";
import { messageOf } from "../../../shared/runtime/error-message.ts";
import { type AdminMap, type CheckedMap, checkMap, type MapInput } from "../api/maps.ts";
import { type FieldFault, RequestFailed } from "../api/problem.ts";
import { country, onSignOut } from "../session/session.ts";
import { past } from "./history.ts";

export type Tool = "polygon" | "rectangle" | "circle" | "edit";

/** A map that is being drawn or changed, and not saved yet. */
export interface Draft {
  /** The map that is changed; undefined for a new one. */
  readonly mapId: string | undefined;
  /** The version that is changed: saving is refused if the map has another one by then. */
  readonly version: string;
  readonly name: string;
  readonly description: string;
  /** `custom_polygon`, or the type of the geographies that are picked. */
  readonly type: string;
  readonly wkt: string;
  /** The picked geographies with their names. */
  readonly picked: ReadonlyMap<number, string>;
  readonly countryCode: string | undefined;
}

export const draft = signal<Draft | undefined>(undefined);
export const tool = signal<Tool>("polygon");

/** What the service says about the draft. */
export const check = signal<CheckedMap | undefined>(undefined);

/** What it refused when it was asked to save. */
export const refusal = signal<readonly FieldFault[]>([]);

onSignOut(closeDraft);

/** Opens the form of a new map, or of one that is changed. */
export function openDraft(map?: AdminMap, version = "", names: ReadonlyMap<number, string> = new Map()): void {
  refusal.value = [];
  check.value = undefined;
  tool.value = map?.geometry === undefined ? "polygon" : "edit";
  draft.value = {
    mapId: map?.id,
    version,
    name: map?.name ?? "",
    description: map?.description ?? "",
    type: map?.type ?? "custom_polygon",
    wkt: map?.geometry ?? "",
    picked: new Map((map?.ids ?? []).map((id) => [id, names.get(id) ?? String(id)])),
    countryCode: map?.country_code ?? country.peek()?.country_code,
  };
}

export function closeDraft(): void {
  past.clear();
  draft.value = undefined;
  check.value = undefined;
  refusal.value = [];
}

export function changeDraft(change: Partial<Draft>): void {
  if (draft.value) draft.value = { ...draft.value, ...change };
  refusal.value = [];
}

/** Adds a geography to the draft, or takes it away. */
export function togglePicked(id: number, name: string): void {
  const picked = new Map(draft.value?.picked);
  if (!picked.delete(id)) picked.set(id, name);
  changeDraft({ picked });
}

/** The draft's shape, as the service takes it; undefined if it has none yet. */
const shape = computed((): MapInput | undefined => {
  const current = draft.value;
  if (!current) return undefined;
  if (current.type === "custom_polygon") return current.wkt.trim() === "" ? undefined : { type: current.type, geometry: current.wkt };
  if (current.picked.size === 0) return undefined;
  return {
    type: current.type,
    ids: [...current.picked.keys()],
    ...(current.countryCode === undefined ? {} : { country_code: current.countryCode }),
  };
});

/** The draft as it is saved. */
export function inputOf(current: Draft): MapInput {
  return { ...shape.peek(), name: current.name, description: current.description };
}

/** Whether the draft has a shape without faults. */
export const isSound = computed(() => shape.value !== undefined && check.value !== undefined && check.value.errors.length === 0);

const CHECK_AFTER_MS = 350;
const shapeText = computed(() => JSON.stringify(shape.value ?? null));
let timer: ReturnType<typeof setTimeout> | undefined;
let asking: AbortController | undefined;

// Each change of the shape is checked once it has rested for a moment.
effect(() => {
  const asked = shapeText.value;
  clearTimeout(timer);
  asking?.abort();
  check.value = undefined;
  if (asked === "null") return;
  timer = setTimeout(() => {
    asking = new AbortController();
    const { signal: abort } = asking;
    checkMap(shape.peek() ?? {}, abort).then(
      (checked) => {
        if (!abort.aborted) check.value = checked;
      },
      (error: unknown) => {
        if (!abort.aborted) check.value = { area_km2: null, cells: null, countries: [], errors: faultsOf(error) };
      },
    );
  }, CHECK_AFTER_MS);
});

/** The faults that a refused request names, or one fault for all of it. */
export function faultsOf(error: unknown): FieldFault[] {
  if (error instanceof RequestFailed && error.faults.length > 0) return [...error.faults];
  return [{ pointer: "", detail: messageOf(error) }];
}
