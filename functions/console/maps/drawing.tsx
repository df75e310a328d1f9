import { computed, effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PolygonGeometry } from "../api/geometry.ts";
import { readyMap } from "../map-view/map-state.ts";
import { loadPart } from "../shell/parts.ts";
import { changeDraft, draft, tool } from "./draft.ts";
import type { createDrawTool, DrawTool } from "./draw-tool.ts";
import { past } from "./history.ts";
import { polygonOf, wktOf } from "./wkt.ts";

/** What makes the tool, once it is loaded: the list of maps does not wait for the library that draws. */
const create = signal<typeof createDrawTool | undefined>(undefined);
const active = signal<DrawTool | undefined>(undefined);
const hasPoint = signal(false);
/** Whether there is a tool to draw with. */
export const hasTool = computed(() => active.value !== undefined);
/** Whether there is a step to take back. */
export const canUndo = computed(() => hasPoint.value || past.size > 0);
/** The polygon that the tool shows, as WKT, so that its own changes do not come back to it. */
let shown = "";

/** Takes the last step back: a point of an unfinished drawing, or else the last change of the shape. */
export function undo(): void {
  if (active.peek()?.undoPoint()) return;
  const before = past.pop();
  if (before !== undefined) changeDraft({ wkt: before });
}

/** Loads what draws, unless it is there: with the map, so that whoever opens the form draws at once. Throws an error for people. */
export async function loadDrawing(): Promise<void> {
  create.value ??= (await loadPart("maps/draw-tool.ts", () => import("./draw-tool.ts"))).createDrawTool;
}

/** Lets people draw the polygon of the draft on the map. */
export function Drawing(): null {
  useEffect(() => {
    // Effects of components wait for the next frame, which a busy map delays: the first click with a tool would go to the one before it.
    const ends = [effect(openTool), effect(showPolygon), effect(useChosenTool)];
    return () => {
      for (const end of ends) end();
    };
  }, []);
  return null;
}

/** Opens the tool of a map, of each new style anew. Returns what removes it. */
function openTool(): (() => void) | undefined {
  const ready = readyMap.value;
  const createTool = create.value;
  if (!ready || !createTool) return undefined;
  const created = createTool(ready.map, ready.palette, {
    onShape: takeShape,
    onMistake: undo,
    onPoint: (canUndo) => {
      hasPoint.value = canUndo;
    },
  });
  shown = "";
  active.value = created;
  return () => {
    active.value = undefined;
    hasPoint.value = false;
    created.remove();
  };
}

function takeShape(polygon: PolygonGeometry, isSameStep: boolean): void {
  const wkt = wktOf(polygon);
  if (draft.peek()?.wkt === wkt) return;
  shown = wkt;
  if (!isSameStep) past.push(draft.peek()?.wkt ?? "");
  tool.value = "edit";
  changeDraft({ wkt });
}

/** Shows the polygon that was opened, typed, dropped or taken back. */
function showPolygon(): void {
  const wkt = draft.value?.wkt ?? "";
  if (!active.value || wkt === shown) return;
  shown = wkt;
  const polygon = polygonOf(wkt);
  active.value.show(polygon);
  if (polygon) tool.value = "edit";
  // Everything was taken back: there is nothing to edit.
  else if (wkt === "" && tool.peek() === "edit") tool.value = "polygon";
  else active.value.use(tool.peek());
}

function useChosenTool(): void {
  active.value?.use(tool.value);
}
