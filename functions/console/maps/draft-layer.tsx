import { useSignalEffect } from "@preact/signals";
import { SLOTS } from "../map-view/base-style.ts";
import { readyMap } from "../map-view/map-state.ts";
import { addOverlay, type OverlayFeature, setFeatures } from "../map-view/overlay.ts";
import { check, draft } from "./draft.ts";
import { polygonOf, positionIn } from "./wkt.ts";

/** Draws a draft that cannot be edited by hand, and the points that the service found faulty. */
export function DraftLayer(): null {
  useSignalEffect(() => {
    const ready = readyMap.value;
    if (!ready) return undefined;
    const { accent, fault } = ready.palette;
    return addOverlay(
      ready.map,
      "draft",
      [
        { id: "draft-line", type: "line", source: "draft", paint: { "line-color": accent, "line-width": 2, "line-dasharray": [2, 1.5] } },
        {
          id: "draft-points",
          type: "circle",
          source: "draft",
          filter: ["==", ["geometry-type"], "Point"],
          // A ring, around the vertex that can be dragged.
          paint: {
            "circle-radius": 13,
            "circle-color": fault,
            "circle-opacity": 0.2,
            "circle-stroke-color": fault,
            "circle-stroke-width": 3,
          },
        },
      ],
      SLOTS.labels,
    );
  });
  useSignalEffect(() => {
    const map = readyMap.value?.map;
    if (!map) return;
    const wkt = draft.value?.type === "custom_polygon" ? draft.value.wkt : "";
    const polygon = polygonOf(wkt);
    const points = (check.value?.errors ?? []).flatMap(({ ring, point }) => {
      const position = positionIn(wkt, ring, point);
      return position ? [position] : [];
    });
    const features: OverlayFeature[] = [
      ...(polygon ? [{ id: 0, geometry: polygon, properties: {} }] : []),
      ...points.map((coordinates, index) => ({ id: index + 1, geometry: { type: "Point" as const, coordinates }, properties: {} })),
    ];
    setFeatures(map, "draft", features);
  });
  return null;
}
