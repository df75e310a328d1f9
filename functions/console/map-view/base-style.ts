import type { LayerSpecification, StyleSpecification } from "maplibre-gl";
import { FOLDER } from "../api/config.ts";
import type { Palette } from "./palette.ts";

/** A base map, in the colours of a palette. */
export type BaseMap = (palette: Palette) => StyleSpecification;

/** Layers that draw nothing and only mark places in the order: overlays are added below one of them. */
export const SLOTS = { areas: "slot-areas", maps: "slot-maps", labels: "slot-labels" } as const;

/** The font of labels. There are no glyph files: MapLibre draws every script from the fonts of the machine. */
export const FONT = ["sans-serif"];

/** Adds the slots to a style: areas and maps below its names, labels above everything. */
export function withSlots(style: StyleSpecification): StyleSpecification {
  const firstName = style.layers.findIndex(({ type }) => type === "symbol");
  const below = firstName < 0 ? style.layers.length : firstName;
  const layers = [...style.layers.slice(0, below), slot(SLOTS.areas), slot(SLOTS.maps), ...style.layers.slice(below), slot(SLOTS.labels)];
  return { ...style, layers };
}

function slot(id: string): LayerSpecification {
  return { id, type: "background", layout: { visibility: "none" } };
}

/** The built-in base map: water and land, rough for the world and in detail around the countries of the service. */
export function naturalEarth({ water, land, border }: Palette): StyleSpecification {
  const file = (name: string): string => `${location.origin}${FOLDER}${CONSOLE_FILES[name]}`;
  return withSlots({
    version: 8,
    sources: {
      world: { type: "geojson", data: file("base-world.json"), attribution: "Natural Earth", tolerance: 0.2 },
      detail: { type: "geojson", data: file("base-detail.json"), tolerance: 0.2 },
    },
    layers: [
      { id: "water", type: "background", paint: { "background-color": water } },
      { id: "world", type: "fill", source: "world", paint: { "fill-color": land } },
      { id: "box", type: "fill", source: "detail", filter: ["==", ["id"], 0], paint: { "fill-color": water } },
      { id: "land", type: "fill", source: "detail", filter: ["!=", ["id"], 0], paint: { "fill-color": land } },
      {
        id: "borders",
        type: "line",
        source: "detail",
        filter: ["!=", ["id"], 0],
        paint: { "line-color": border, "line-width": ["interpolate", ["linear"], ["zoom"], 4, 0.6, 9, 1.2] },
      },
    ],
  });
}
