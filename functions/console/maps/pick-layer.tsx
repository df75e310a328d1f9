import { useSignal, useSignalEffect } from "@preact/signals";
import type { ExpressionSpecification, LayerSpecification, MapLayerMouseEvent } from "maplibre-gl";
import type { JSX } from "preact";
import { findGeographies, type Geography } from "../api/geographies.ts";
import type { Box } from "../api/geometry.ts";
import { SLOTS } from "../map-view/base-style.ts";
import { readyMap } from "../map-view/map-state.ts";
import { addFeatures, addOverlay, setFeatures } from "../map-view/overlay.ts";
import type { Palette } from "../map-view/palette.ts";
import { notifyFault } from "../shell/notices.tsx";
import { text } from "../texts.ts";
import { draft, togglePicked } from "./draft.ts";

/** From which zoom on a type is shown: before, there are too many in the view. */
const ZOOM_MIN: Readonly<Record<string, number>> = { admin_level_2: 3, admin_level_4: 7, grid_1000m: 9, grid_250m: 11 };
const SHOWN_MAX = 2000;

/** Shows the geographies in the view, to pick them by clicks. */
export function PickLayer(): JSX.Element | null {
  const isTooFar = useSignal(false);
  const shown = useSignal<readonly Geography[]>([]);
  useSignalEffect(() => {
    const ready = readyMap.value;
    const { type, countryCode: country } = draft.peek() ?? {};
    if (!ready || type === undefined || country === undefined) return undefined;
    const { map } = ready;
    const remove = addOverlay(map, "pick", layers(ready.palette), SLOTS.maps);
    let abort = new AbortController();
    const load = (): void => {
      abort.abort();
      abort = new AbortController();
      isTooFar.value = map.getZoom() < (ZOOM_MIN[type] ?? 0);
      if (isTooFar.value) {
        setFeatures(map, "pick", []);
        return;
      }
      const { signal } = abort;
      const bounds = map.getBounds();
      const box: Box = [
        Math.max(-180, bounds.getWest()),
        Math.max(-90, bounds.getSouth()),
        Math.min(180, bounds.getEast()),
        Math.min(90, bounds.getNorth()),
      ];
      findGeographies({ country, geoType: type, box, signal }, SHOWN_MAX)
        .then(async (found) => {
          if (signal.aborted) return;
          shown.value = found;
          setFeatures(map, "pick", []);
          await addFeatures(
            map,
            "pick",
            found.map(({ geometry }, id) => ({ id, geometry, properties: {} })),
            type.startsWith("grid") ? "cells" : "boundaries",
          );
        })
        .catch((error: unknown) => signal.aborted || notifyFault(error));
    };
    const click = ({ features }: MapLayerMouseEvent): void => {
      const clicked = shown.peek()[Number(features?.[0]?.id)];
      if (clicked) togglePicked(clicked.id, clicked.name);
    };
    load();
    map.on("moveend", load);
    map.on("click", "pick-fill", click);
    return () => {
      abort.abort();
      map.off("moveend", load);
      map.off("click", "pick-fill", click);
      remove();
    };
  });
  // The picked ones are coloured by their state: nothing is drawn again.
  useSignalEffect(() => {
    const map = readyMap.value?.map;
    const picked = draft.value?.picked;
    if (!map?.getSource("pick")) return;
    for (const [index, { id }] of shown.value.entries())
      map.setFeatureState({ source: "pick", id: index }, { picked: picked?.has(id) ?? false });
  });
  return isTooFar.value ? <p class="notice">{text("pick.tooFar")}</p> : null;
}

function layers({ accent, muted }: Palette): LayerSpecification[] {
  const isPicked: ExpressionSpecification = ["boolean", ["feature-state", "picked"], false];
  return [
    {
      id: "pick-fill",
      type: "fill",
      source: "pick",
      paint: { "fill-color": accent, "fill-opacity": ["case", isPicked, 0.4, 0.03] },
    },
    {
      id: "pick-line",
      type: "line",
      source: "pick",
      paint: { "line-color": ["case", isPicked, accent, muted], "line-width": ["case", isPicked, 2, 0.7] },
    },
  ];
}
