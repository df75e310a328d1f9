import { useSignalEffect } from "@preact/signals";
import type { LayerSpecification, MapMouseEvent } from "maplibre-gl";
import { useEffect } from "preact/hooks";
import type { Geometry } from "../api/geometry.ts";
import type { Place } from "../format/place.ts";
import { SLOTS } from "../map-view/base-style.ts";
import { readyMap } from "../map-view/map-state.ts";
import { addOverlay, type OverlayFeature, setFeatures } from "../map-view/overlay.ts";
import type { Palette } from "../map-view/palette.ts";

interface FlowLayerProps {
  readonly place: Place | undefined;
  /** The road link nearest to the place. */
  readonly link: Geometry | undefined;
  readonly onPlace: (place: Place) => void;
}

/** Draws a place and its road link, and takes a click for a place. */
export function FlowLayer({ place, link, onPlace }: FlowLayerProps): null {
  const ready = readyMap.value;
  useSignalEffect(() => {
    const map = readyMap.value?.map;
    if (!map) return undefined;
    const click = ({ lngLat }: MapMouseEvent): void => onPlace({ lat: Number(lngLat.lat.toFixed(6)), lon: Number(lngLat.lng.toFixed(6)) });
    map.on("click", click);
    map.getCanvas().style.cursor = "crosshair";
    return () => {
      map.off("click", click);
      map.getCanvas().style.cursor = "";
    };
  });
  useEffect(() => (ready ? addOverlay(ready.map, "flow", layers(ready.palette), SLOTS.labels) : undefined), [ready]);
  useEffect(() => {
    if (!ready?.map.getSource("flow")) return;
    const features: OverlayFeature[] = [];
    if (link) features.push({ id: 0, geometry: link, properties: {} });
    if (place) features.push({ id: 1, geometry: { type: "Point", coordinates: [place.lon, place.lat] }, properties: {} });
    setFeatures(ready.map, "flow", features);
  }, [ready, place, link]);
  return null;
}

function layers({ accent, accentStrong, halo }: Palette): LayerSpecification[] {
  const line = { type: "line", source: "flow", layout: { "line-cap": "round" } } as const;
  return [
    { id: "flow-casing", ...line, paint: { "line-color": halo, "line-width": 10 } },
    { id: "flow-line", ...line, paint: { "line-color": accent, "line-width": 5 } },
    {
      id: "flow-place",
      type: "circle",
      source: "flow",
      filter: ["==", ["geometry-type"], "Point"],
      paint: { "circle-radius": 5, "circle-color": accentStrong, "circle-stroke-color": halo, "circle-stroke-width": 2 },
    },
  ];
}
