import type { ExpressionSpecification, LayerSpecification } from "maplibre-gl";
import { FONT } from "../map-view/base-style.ts";
import type { Palette } from "../map-view/palette.ts";

/** Each state looks different: hatched if withheld, amber if stale, dashed without data or coverage, grey if nobody counts. */
export function areas({ accent, accentStrong, muted, warning }: Palette): LayerSpecification[] {
  const kind: ExpressionSpecification = ["coalesce", ["feature-state", "kind"], "off"];
  const isSelected: ExpressionSpecification = ["boolean", ["feature-state", "selected"], false];
  const isCounted: ExpressionSpecification = ["in", kind, ["literal", ["number", "withheld", "awaited"]]];
  const colour: ExpressionSpecification = [
    "case",
    ["==", kind, "stale"],
    warning,
    isCounted,
    ["case", isSelected, accentStrong, accent],
    muted,
  ];
  const width: ExpressionSpecification = ["case", isSelected, 3, 1.6];
  const isDashed: ExpressionSpecification = ["in", kind, ["literal", ["none", "outside"]]];
  return [
    {
      id: "maps-fill",
      type: "fill",
      source: "maps",
      paint: {
        "fill-color": colour,
        "fill-opacity": ["match", kind, "withheld", 0.06, ["none", "outside"], 0.03, ["case", isSelected, 0.35, 0.18]],
      },
    },
    {
      id: "maps-withheld",
      type: "fill",
      source: "maps",
      paint: { "fill-pattern": "hatch", "fill-opacity": ["case", ["==", kind, "withheld"], 0.8, 0] },
    },
    {
      id: "maps-line",
      type: "line",
      source: "maps",
      paint: { "line-color": colour, "line-width": width, "line-opacity": ["case", isDashed, 0, 1] },
    },
    {
      id: "maps-dashed",
      type: "line",
      source: "maps",
      paint: { "line-color": colour, "line-width": width, "line-opacity": ["case", isDashed, 1, 0], "line-dasharray": [2, 2] },
    },
  ];
}

/** The headcounts at their areas. */
export function labels({ accentStrong, label, halo }: Palette): LayerSpecification {
  return {
    id: "map-labels",
    type: "symbol",
    source: "map-labels",
    layout: {
      "text-field": ["get", "label"],
      "text-font": FONT,
      "text-size": ["case", ["get", "isNumber"], 17, 13],
      // Numbers of areas side by side make room for each other; those without room come as the map comes nearer.
      "text-variable-anchor": ["center", "bottom", "top", "left", "right"],
      "text-radial-offset": 0.7,
    },
    paint: { "text-color": ["case", ["get", "isNumber"], accentStrong, label], "text-halo-color": halo, "text-halo-width": 2.2 },
  };
}
