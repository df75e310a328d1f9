import type { LayerSpecification } from "maplibre-gl";
import { useEffect } from "preact/hooks";
import type { Geography } from "../api/geographies.ts";
import { boxAround, type Geometry } from "../api/geometry.ts";
import { SLOTS } from "../map-view/base-style.ts";
import { readyMap, showBox } from "../map-view/map-state.ts";
import { addOverlay, type OverlayFeature, setFeatures } from "../map-view/overlay.ts";
import type { Palette } from "../map-view/palette.ts";

/** The trips between the chosen area and another one. */
export interface Trip {
  readonly id: number;
  readonly trips: number;
}

interface OdmLayerProps {
  readonly area: Geography | undefined;
  readonly trips: readonly Trip[];
  readonly others: ReadonlyMap<number, Geography>;
}

/** Draws a line for each pair, the wider the more trips, and the chosen area. */
export function OdmLayer({ area, trips, others }: OdmLayerProps): null {
  const ready = readyMap.value;
  useEffect(() => (ready ? addOverlay(ready.map, "odm", layers(ready.palette), SLOTS.labels) : undefined), [ready]);
  useEffect(() => {
    if (!ready?.map.getSource("odm")) return;
    const most = Math.max(1, ...trips.filter(({ id }) => id !== area?.id).map((trip) => trip.trips));
    const lines: OverlayFeature[] = [];
    for (const trip of trips.toReversed()) {
      const other = others.get(trip.id);
      if (!area || !other || other.id === area.id) continue;
      const ends: Geometry = {
        type: "LineString",
        coordinates: [
          [area.lon, area.lat],
          [other.lon, other.lat],
        ],
      };
      lines.push({ id: lines.length + 1, geometry: ends, properties: { share: trip.trips / most } });
      lines.push({
        id: lines.length + 1,
        geometry: { type: "Point", coordinates: [other.lon, other.lat] },
        properties: { share: trip.trips / most },
      });
    }
    setFeatures(ready.map, "odm", [...(area ? [{ id: 0, geometry: area.geometry, properties: { share: 1 } }] : []), ...lines]);
  }, [ready, area, trips, others]);
  useEffect(() => {
    if (!area || others.size === 0) return;
    // The twenty largest: a single far trip must not make the map small.
    const near = trips.slice(0, 20).flatMap(({ id }): Geometry[] => {
      const other = others.get(id);
      return other ? [other.geometry] : [];
    });
    showBox(boxAround([area.geometry, ...near]));
  }, [area, others]);
  return null;
}

function layers({ accent, accentStrong, halo }: Palette): LayerSpecification[] {
  return [
    {
      id: "odm-lines",
      type: "line",
      source: "odm",
      filter: ["==", ["geometry-type"], "LineString"],
      layout: { "line-cap": "round" },
      paint: {
        "line-color": accent,
        "line-opacity": ["interpolate", ["linear"], ["get", "share"], 0, 0.25, 1, 0.85],
        "line-width": ["interpolate", ["linear"], ["get", "share"], 0, 0.8, 1, 9],
      },
    },
    {
      id: "odm-ends",
      type: "circle",
      source: "odm",
      filter: ["==", ["geometry-type"], "Point"],
      paint: { "circle-color": accent, "circle-radius": ["interpolate", ["linear"], ["get", "share"], 0, 1.5, 1, 5] },
    },
    {
      id: "odm-area",
      type: "fill",
      source: "odm",
      filter: ["==", ["geometry-type"], "Polygon"],
      paint: { "fill-color": accentStrong, "fill-opacity": 0.6, "fill-outline-color": halo },
    },
  ];
}
