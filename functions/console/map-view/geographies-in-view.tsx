import { useSignal, useSignalEffect } from "@preact/signals";
import type { ExpressionSpecification, LayerSpecification, MapLayerMouseEvent } from "maplibre-gl";
import type { JSX } from "preact";
import { findGeographies, type Geography } from "../api/geographies.ts";
import { notifyFault } from "../shell/notices.tsx";
import { text } from "../texts.ts";
import { SLOTS } from "./base-style.ts";
import { readyMap } from "./map-state.ts";
import { addFeatures, addOverlay, setFeatures } from "./overlay.ts";
import type { Palette } from "./palette.ts";
import { addTooltip } from "./tooltip.ts";

/** From which zoom on a type is shown: before, there are too many in the view. */
const ZOOM_MIN: Readonly<Record<string, number>> = { admin_level_2: 3, admin_level_4: 7, grid_1000m: 9, grid_250m: 11, osm_links: 10 };
const SHOWN_MAX = 2000;
const SOURCE = "in-view";

interface GeographiesInViewProps {
  readonly country: string;
  readonly geoType: string;
  /** The ids of those that are picked: they are drawn stronger. */
  readonly picked?: ReadonlySet<number>;
  /** Called with the one that is clicked. Left out: they are only shown. */
  readonly onPick?: (geography: Geography) => void;
}

/** Shows the geographies of a type in the view, to pick them by clicks. */
export function GeographiesInView({ country, geoType, picked, onPick }: GeographiesInViewProps): JSX.Element | null {
  const isTooFar = useSignal(false);
  const shown = useSignal<readonly Geography[]>([]);
  const wanted = useSignal({ country, geoType });
  if (wanted.peek().country !== country || wanted.peek().geoType !== geoType) wanted.value = { country, geoType };
  const chosen = useSignal(picked);
  chosen.value = picked;
  const pick = useSignal(onPick);
  pick.value = onPick;
  useSignalEffect(() => {
    const ready = readyMap.value;
    const { country: code, geoType: type } = wanted.value;
    if (!ready) return undefined;
    const { map } = ready;
    const remove = addOverlay(map, SOURCE, layers(ready.palette), SLOTS.maps);
    let abort = new AbortController();
    const load = (): void => {
      abort.abort();
      abort = new AbortController();
      const { signal } = abort;
      isTooFar.value = map.getZoom() < (ZOOM_MIN[type] ?? 0);
      if (isTooFar.value) {
        setFeatures(map, SOURCE, []);
        return;
      }
      const bounds = map.getBounds();
      findGeographies(
        { country: code, geoType: type, box: [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()], signal },
        SHOWN_MAX,
      )
        .then(async (found) => {
          if (signal.aborted) return;
          shown.value = found;
          setFeatures(map, SOURCE, []);
          const features = found.map(({ geometry }, id) => ({ id, geometry, properties: {} }));
          await addFeatures(map, SOURCE, features, type.startsWith("admin") ? "boundaries" : "cells");
        })
        .catch((error: unknown) => signal.aborted || notifyFault(error));
    };
    const click = ({ features }: MapLayerMouseEvent): void => {
      const clicked = shown.peek()[Number(features?.[0]?.id)];
      if (clicked) pick.peek()?.(clicked);
    };
    const removeTooltip = addTooltip(ready, `${SOURCE}-fill`, (index) => {
      const under = shown.peek()[index];
      return under && { title: under.name };
    });
    load();
    map.on("moveend", load);
    map.on("click", `${SOURCE}-fill`, click);
    return () => {
      abort.abort();
      removeTooltip();
      map.off("moveend", load);
      map.off("click", `${SOURCE}-fill`, click);
      remove();
    };
  });
  // The picked ones are coloured by their state: nothing is drawn again.
  useSignalEffect(() => {
    const map = readyMap.value?.map;
    const ids = chosen.value;
    if (!map?.getSource(SOURCE)) return;
    for (const [index, { id }] of shown.value.entries())
      map.setFeatureState({ source: SOURCE, id: index }, { picked: ids?.has(id) ?? false });
  });
  return isTooFar.value ? <p class="notice">{text(geoType === "osm_links" ? "flow.tooFar" : "pick.tooFar")}</p> : null;
}

function layers({ accent, muted }: Palette): LayerSpecification[] {
  const isPicked: ExpressionSpecification = ["boolean", ["feature-state", "picked"], false];
  const isArea: ExpressionSpecification = ["==", ["geometry-type"], "Polygon"];
  return [
    {
      id: `${SOURCE}-fill`,
      type: "fill",
      source: SOURCE,
      filter: isArea,
      paint: { "fill-color": accent, "fill-opacity": ["case", isPicked, 0.4, 0.04] },
    },
    {
      id: `${SOURCE}-line`,
      type: "line",
      source: SOURCE,
      paint: { "line-color": ["case", isPicked, accent, muted], "line-width": ["case", isPicked, 2.5, isArea, 0.7, 1.8] },
    },
  ];
}
