import { signal } from "@preact/signals";
import type { Map as MapLibre } from "maplibre-gl";
import type { Box } from "../api/geometry.ts";
import type { Palette } from "./palette.ts";

/** The map once its style is there. A new object after each change of style: overlays add themselves again. */
export interface ReadyMap {
  readonly map: MapLibre;
  readonly palette: Palette;
}

export const readyMap = signal<ReadyMap | undefined>(undefined);

/** Whether this browser can draw maps at all. Lists and tables work without. */
export const canDraw = signal(true);

/** Moves the map to a box, if there is one. */
export function showBox(box: Box | undefined, animate = true): void {
  const map = readyMap.peek()?.map;
  if (!map || !box) return;
  map.fitBounds(box, { padding: 80, maxZoom: 13, duration: !animate || isMotionReduced() ? 0 : 600 });
}

/** Whether the system asks for less motion. */
export function isMotionReduced(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
