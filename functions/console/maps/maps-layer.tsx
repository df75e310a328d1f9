import { useSignalEffect } from "@preact/signals";
import type { ExpressionSpecification, LayerSpecification, MapLayerMouseEvent } from "maplibre-gl";
import { labelPoint } from "../api/geometry.ts";
import { shortNumber } from "../headcounts/describe.ts";
import { headcounts } from "../headcounts/headcounts.ts";
import { FONT, SLOTS } from "../map-view/base-style.ts";
import { readyMap } from "../map-view/map-state.ts";
import { addOverlay, type OverlayFeature, setFeatures } from "../map-view/overlay.ts";
import type { Palette } from "../map-view/palette.ts";
import { go, route } from "../shell/route.ts";
import { draft } from "./draft.ts";
import { maps, shapes } from "./store.ts";

/** Draws the customer's maps, with the headcounts of the monitored ones. A click selects a map. */
export function MapsLayer(): null {
  useSignalEffect(() => {
    const ready = readyMap.value;
    if (!ready) return undefined;
    const { map, palette } = ready;
    const removeAreas = addOverlay(map, "maps", areas(palette), SLOTS.maps);
    const removeLabels = addOverlay(map, "map-labels", [labels(palette)], SLOTS.labels);
    const select = (event: MapLayerMouseEvent): void => {
      const index = event.features?.at(-1)?.properties.map;
      const clicked = typeof index === "number" ? maps.peek()?.[index] : undefined;
      if (clicked && !draft.peek()) go("maps", clicked.id);
    };
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
      removeAreas();
      removeLabels();
    };
  });
  useSignalEffect(() => {
    const map = readyMap.value?.map;
    if (!map) return;
    const selected = route.value.rest;
    const edited = draft.value?.mapId;
    const shown = (maps.value ?? []).map((one, index) => ({ one, index })).filter(({ one }) => one.id !== edited);
    const features: OverlayFeature[] = [];
    const points: OverlayFeature[] = [];
    for (const { one, index } of shown) {
      const parts = shapes.value.get(one.id) ?? [];
      const properties = { map: index, monitored: one.is_monitored, selected: one.id === selected };
      for (const geometry of parts) features.push({ id: features.length, geometry, properties });
      const [first] = parts;
      const label = one.is_monitored ? shortNumber(headcounts.value.get(one.id)) : "";
      if (first && label !== "")
        points.push({ id: index, geometry: { type: "Point", coordinates: labelPoint(first) }, properties: { label } });
    }
    setFeatures(map, "maps", features);
    setFeatures(map, "map-labels", points);
  });
  return null;
}

function areas({ accent, accentStrong, muted }: Palette): LayerSpecification[] {
  const colour: ExpressionSpecification = ["case", ["get", "selected"], accentStrong, ["get", "monitored"], accent, muted];
  return [
    {
      id: "maps-fill",
      type: "fill",
      source: "maps",
      paint: { "fill-color": colour, "fill-opacity": ["case", ["get", "selected"], 0.35, 0.18] },
    },
    {
      id: "maps-line",
      type: "line",
      source: "maps",
      paint: { "line-color": colour, "line-width": ["case", ["get", "selected"], 3, 1.6] },
    },
  ];
}

function labels({ accentStrong, halo }: Palette): LayerSpecification {
  return {
    id: "map-labels",
    type: "symbol",
    source: "map-labels",
    layout: { "text-field": ["get", "label"], "text-font": FONT, "text-size": 17, "text-allow-overlap": true },
    paint: { "text-color": accentStrong, "text-halo-color": halo, "text-halo-width": 2.2 },
  };
}
