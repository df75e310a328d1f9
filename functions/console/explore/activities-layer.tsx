import { useSignalEffect } from "@preact/signals";
import type { ExpressionSpecification, LayerSpecification, MapLayerMouseEvent, Map as MapLibre } from "maplibre-gl";
import { formatDecimal } from "../format/format.ts";
import { SLOTS } from "../map-view/base-style.ts";
import { addHatch } from "../map-view/hatch.ts";
import { readyMap } from "../map-view/map-state.ts";
import { addFeatures, addOverlay, setFeatures } from "../map-view/overlay.ts";
import type { Palette } from "../map-view/palette.ts";
import { addTooltip } from "../map-view/tooltip.ts";
import { text } from "../texts.ts";
import { areas, bounds, hourValues, mapView, selected, shownColumns, shownType, toggleSelected } from "./activities-state.ts";
import { classOf } from "./classes.ts";

/** The ids of the drawn areas, in the order of their features. */
let drawn: readonly number[] = [];
/** The levels below those of the classes: without a value, and of an hour that is yet to come. */
const WITHHELD = -1;
const NO_DATA = -2;

/** Draws Activities as a choropleth. The hour only changes the states of features. */
export function ActivitiesLayer(): null {
  useSignalEffect(() => {
    const ready = readyMap.value;
    if (!ready) return undefined;
    const { map, palette } = ready;
    addHatch(map, palette.muted);
    const remove = addOverlay(map, "activities", layers(palette), SLOTS.areas);
    drawn = [];
    const look = (): void => {
      const bounds = map.getBounds();
      mapView.value = { box: [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()], zoom: map.getZoom() };
    };
    const click = ({ features }: MapLayerMouseEvent): void => {
      const id = drawn[Number(features?.[0]?.id)];
      if (id !== undefined) toggleSelected(id);
    };
    const removeTooltip = addTooltip(ready, "activities-fill", (index) => {
      const id = drawn[index];
      const area = id === undefined ? undefined : areas.peek().get(id);
      const value = id === undefined ? undefined : hourValues.peek().get(id);
      if (!area || value === undefined) return undefined;
      return { title: area.name, value: value === null ? text("explore.withheld") : formatDecimal(value) };
    });
    look();
    map.on("moveend", look);
    map.on("click", "activities-fill", click);
    return () => {
      map.off("moveend", look);
      map.off("click", "activities-fill", click);
      removeTooltip();
      remove();
      drawn = [];
    };
  });
  useSignalEffect(() => {
    const map = readyMap.value?.map;
    const found = shownColumns.value;
    if (!map?.getSource("activities")) return;
    const shown = (found?.geo_ids ?? []).flatMap((id) => areas.value.get(id) ?? []);
    if (shown.length === drawn.length && shown.every(({ id }, index) => drawn[index] === id)) return;
    drawn = shown.map(({ id }) => id);
    map.removeFeatureState({ source: "activities" });
    setFeatures(map, "activities", []);
    const features = shown.map(({ geometry }, id) => ({ id, geometry, properties: {} }));
    void addFeatures(map, "activities", features, shownType.peek()?.startsWith("grid") ? "cells" : "boundaries");
  });
  useSignalEffect(() => {
    const map = readyMap.value?.map;
    const [values, steps, chosen] = [hourValues.value, bounds.value, selected.value];
    // Also after the areas were drawn anew.
    void areas.value;
    if (map?.getSource("activities")) paint(map, values, steps, chosen);
  });
  return null;
}

function paint(map: MapLibre, values: ReadonlyMap<number, number | null>, steps: readonly number[], chosen: readonly number[]): void {
  for (const [index, id] of drawn.entries()) {
    const value = values.get(id);
    const level = value === undefined ? NO_DATA : value === null ? WITHHELD : classOf(value, steps);
    map.setFeatureState({ source: "activities", id: index }, { level, chosen: chosen.indexOf(id) });
  }
}

function layers({ ramp, accentStrong, warning, boundary, halo }: Palette): LayerSpecification[] {
  const level: ExpressionSpecification = ["coalesce", ["feature-state", "level"], NO_DATA];
  const isWithheld: ExpressionSpecification = ["==", level, WITHHELD];
  const chosen: ExpressionSpecification = ["coalesce", ["feature-state", "chosen"], -1];
  const isChosen: ExpressionSpecification = [">=", chosen, 0];
  const steps = ramp.slice(1).flatMap((colour, index) => [index + 1, colour]);
  return [
    {
      id: "activities-hatch",
      type: "fill",
      source: "activities",
      paint: { "fill-pattern": "hatch", "fill-opacity": ["case", isWithheld, 0.5, 0] },
    },
    {
      id: "activities-fill",
      type: "fill",
      source: "activities",
      paint: {
        "fill-color": ["step", level, ramp[0] ?? "", ...steps],
        "fill-opacity": ["case", ["<", level, 0], 0, 0.92],
      },
    },
    { id: "activities-line", type: "line", source: "activities", paint: { "line-color": boundary, "line-width": 0.4 } },
    // Seen on a colour like its own, too.
    { id: "activities-casing", type: "line", source: "activities", paint: { "line-color": halo, "line-width": ["case", isChosen, 7, 0] } },
    {
      id: "activities-chosen",
      type: "line",
      source: "activities",
      paint: {
        "line-color": ["match", chosen, 0, accentStrong, 1, warning, "#000"],
        "line-width": ["case", isChosen, 3.5, 0],
      },
    },
  ];
}
