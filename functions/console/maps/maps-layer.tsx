import { computed, signal, useSignalEffect } from "@preact/signals";
import type { MapLayerMouseEvent } from "maplibre-gl";
import { labelPoint } from "../api/geometry.ts";
import { describeHeadcount, labelOf } from "../headcounts/describe.ts";
import { headcounts, isAwaited } from "../headcounts/headcounts.ts";
import { SLOTS } from "../map-view/base-style.ts";
import { addHatch } from "../map-view/hatch.ts";
import { readyMap } from "../map-view/map-state.ts";
import { addOverlay, drawInPortions, type OverlayFeature, portionsOf, setFeatures } from "../map-view/overlay.ts";
import { addTooltip } from "../map-view/tooltip.ts";
import { go, route } from "../shell/route.ts";
import { draft } from "./draft.ts";
import { areas, labels } from "./maps-style.ts";
import { maps, shapes } from "./store.ts";

/** The id of the map of each drawn feature. */
const drawn = signal<readonly string[]>([]);

/** The maps with their headcounts, of those that have one. */
const states = computed(() =>
  (maps.value ?? []).map(({ id, is_monitored }) => ({
    id,
    shown: is_monitored ? describeHeadcount(headcounts.value.get(id), isAwaited(id)) : undefined,
  })),
);

/** Draws the customer's maps, with the headcounts of the monitored ones. A click selects a map. */
export function MapsLayer(): null {
  useSignalEffect(() => {
    const ready = readyMap.value;
    if (!ready) return undefined;
    const { map, palette } = ready;
    addHatch(map, palette.muted);
    const removeAreas = addOverlay(map, "maps", areas(palette), SLOTS.maps);
    const removeLabels = addOverlay(map, "map-labels", [labels(palette)], SLOTS.labels);
    const select = (event: MapLayerMouseEvent): void => {
      const clicked = drawn.peek()[Number(event.features?.at(-1)?.id)];
      if (clicked !== undefined && !draft.peek()) go("maps", clicked);
    };
    // The name of a map, which its label has no place for.
    const removeTooltip = addTooltip(ready, "maps-fill", (id) => {
      const under = draft.peek() ? undefined : maps.peek()?.find((one) => one.id === drawn.peek()[id]);
      return under && { title: under.name };
    });
    const cursor = (shape: string) => () => {
      if (!draft.peek()) map.getCanvas().style.cursor = shape;
    };
    const [over, out] = [cursor("pointer"), cursor("")];
    map.on("click", "maps-fill", select);
    map.on("mouseenter", "maps-fill", over);
    map.on("mouseleave", "maps-fill", out);
    return () => {
      map.off("click", "maps-fill", select);
      map.off("mouseenter", "maps-fill", over);
      map.off("mouseleave", "maps-fill", out);
      removeTooltip();
      removeAreas();
      removeLabels();
    };
  });
  // The shapes are drawn anew only when they change: a map may have 10,000 cells.
  useSignalEffect(() => {
    const map = readyMap.value?.map;
    const edited = draft.value?.mapId;
    const known = shapes.value;
    if (!map) return;
    const parts: OverlayFeature[] = [];
    const owners: string[] = [];
    for (const [id, geometries] of known) {
      if (id === edited) continue;
      for (const geometry of portionsOf(geometries)) {
        parts.push({ id: parts.length, geometry, properties: {} });
        owners.push(id);
      }
    }
    drawn.value = owners;
    void drawInPortions(map, "maps", parts);
  });
  useSignalEffect(() => {
    const map = readyMap.value?.map;
    if (!map?.getSource("maps")) return;
    const selected = route.value.rest;
    const kinds = new Map(states.value.map(({ id, shown }) => [id, shown?.kind ?? "off"]));
    for (const [index, id] of drawn.value.entries())
      map.setFeatureState({ source: "maps", id: index }, { kind: kinds.get(id) ?? "off", selected: id === selected });
  });
  useSignalEffect(() => {
    const map = readyMap.value?.map;
    if (!map) return;
    const points: OverlayFeature[] = [];
    for (const { id, shown } of states.value) {
      const [first] = shapes.value.get(id) ?? [];
      if (!first || !shown || id === draft.value?.mapId) continue;
      points.push({
        id: points.length,
        geometry: { type: "Point", coordinates: labelPoint(first) },
        properties: { label: labelOf(shown), isNumber: shown.kind === "number" },
      });
    }
    setFeatures(map, "map-labels", points);
  });
  return null;
}
