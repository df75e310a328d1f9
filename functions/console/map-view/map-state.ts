import { signal } from "@preact/signals";
import type { Map as MapLibre, Popup, PopupOptions } from "maplibre-gl";
import type { Box } from "../api/geometry.ts";
import type { Palette } from "./palette.ts";

/** The map once its style is there. A new object after each change of style: overlays add themselves again. */
export interface ReadyMap {
  readonly map: MapLibre;
  readonly palette: Palette;
  /** Makes a popup. Its class comes with the map: lists that import it would wait for the library of the map. */
  readonly createPopup: (options: PopupOptions) => Popup;
}

export const readyMap = signal<ReadyMap | undefined>(undefined);

/** Whether this browser can draw maps at all. Lists and tables work without. */
export const canDraw = signal(true);

interface Move {
  /** How near the map comes at most. */
  readonly maxZoom?: number;
  readonly animate?: boolean;
}

/** Moves the map to a box, if there is one. */
export function showBox(box: Box | undefined, { maxZoom = 13, animate = true }: Move = {}): void {
  const map = readyMap.peek()?.map;
  if (!map || !box) return;
  map.fitBounds(box, { padding: paddingOf(map), maxZoom, duration: !animate || isMotionReduced() ? 0 : 600 });
}

/** A border around what is shown, in pixels: narrow on a phone. */
function paddingOf(map: MapLibre): number {
  const { clientWidth, clientHeight } = map.getContainer();
  return Math.min(80, Math.round(Math.min(clientWidth, clientHeight) / 8));
}

/** Whether the system asks for less motion. */
export function isMotionReduced(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
