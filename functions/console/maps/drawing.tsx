import { useSignalEffect } from "@preact/signals";
import { readyMap } from "../map-view/map-state.ts";
import { changeDraft, draft, tool } from "./draft.ts";
import { createDrawTool, type DrawTool } from "./draw-tool.ts";
import { past } from "./history.ts";
import { polygonOf, wktOf } from "./wkt.ts";

let active: DrawTool | undefined;
/** The polygon that the tool shows, as WKT, so that its own changes do not come back to it. */
let shown = "";

/** Takes the last step back: a point of an unfinished drawing, or else the last change of the shape. */
export function undo(): void {
  if (active?.undoPoint()) return;
  const before = past.pop();
  if (before !== undefined) changeDraft({ wkt: before });
}

/** Lets people draw the polygon of the draft on the map. */
export function Drawing(): null {
  useSignalEffect(() => {
    const ready = readyMap.value;
    if (!ready) return undefined;
    const created = createDrawTool(ready.map, ready.palette, (polygon) => {
      const wkt = wktOf(polygon);
      if (draft.peek()?.wkt === wkt) return;
      shown = wkt;
      past.push(draft.peek()?.wkt ?? "");
      tool.value = "edit";
      changeDraft({ wkt });
    });
    active = created;
    shown = "";
    return () => {
      active = undefined;
      created.remove();
    };
  });
  useSignalEffect(() => {
    const wkt = draft.value?.wkt ?? "";
    if (!readyMap.value || !active || wkt === shown) return;
    shown = wkt;
    const polygon = polygonOf(wkt);
    active.show(polygon);
    if (polygon) tool.value = "edit";
    else active.use(tool.peek());
  });
  useSignalEffect(() => {
    const chosen = tool.value;
    if (readyMap.value) active?.use(chosen);
  });
  return null;
}
