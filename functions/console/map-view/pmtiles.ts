import { addProtocol, type LayerSpecification, type SourceSpecification, type StyleSpecification } from "maplibre-gl";
import { PMTiles, Protocol, TileType } from "pmtiles";
import { type BaseMap, FONT, withSlots } from "./base-style.ts";
import type { Palette } from "./palette.ts";

const SOURCE = "base";
let protocol: Protocol | undefined;

/** Lets styles name archives by `pmtiles://`. The metadata of an archive has what the map must attribute. */
export function usePmtiles(): Protocol {
  if (protocol) return protocol;
  protocol = new Protocol({ metadata: true });
  addProtocol("pmtiles", protocol.tile);
  return protocol;
}

/**
 * Returns the base map of an archive: pictures as they are, or vector tiles in the scheme of Protomaps (earth, water, roads, boundaries,
 * places), drawn in the colours of the console. Throws an error if the archive cannot be read.
 */
export async function pmtilesAt(address: string): Promise<BaseMap> {
  const archive = new PMTiles(address);
  usePmtiles().add(archive);
  const { tileType } = await archive.getHeader();
  const url = `pmtiles://${address}`;
  if (tileType !== TileType.Mvt) {
    const pictures = styleOf({ type: "raster", url, tileSize: 256 }, [{ id: "pictures", type: "raster", source: SOURCE }]);
    return () => withSlots(pictures);
  }
  return (palette) => withSlots(styleOf({ type: "vector", url }, layers(palette)));
}

function styleOf(source: SourceSpecification, drawn: LayerSpecification[]): StyleSpecification {
  return { version: 8, sources: { [SOURCE]: source }, layers: drawn };
}

function layers({ water, land, border, boundary, label, halo, muted }: Palette): LayerSpecification[] {
  const of = (layer: string) => ({ source: SOURCE, "source-layer": layer });
  const text = { "text-color": label, "text-halo-color": halo, "text-halo-width": 1.4 };
  return [
    { id: "background", type: "background", paint: { "background-color": water } },
    { id: "earth", type: "fill", ...of("earth"), paint: { "fill-color": land } },
    { id: "water", type: "fill", ...of("water"), filter: ["==", ["geometry-type"], "Polygon"], paint: { "fill-color": water } },
    { id: "buildings", type: "fill", ...of("buildings"), minzoom: 13, paint: { "fill-color": boundary, "fill-opacity": 0.6 } },
    {
      id: "roads",
      type: "line",
      ...of("roads"),
      filter: ["in", ["get", "kind"], ["literal", ["highway", "major_road", "minor_road"]]],
      layout: { "line-cap": "round", "line-join": "round" },
      paint: {
        "line-color": border,
        "line-width": [
          "interpolate",
          ["exponential", 1.6],
          ["zoom"],
          6,
          0.3,
          12,
          ["match", ["get", "kind"], "minor_road", 0.6, 1.8],
          17,
          9,
        ],
      },
    },
    { id: "rails", type: "line", ...of("roads"), filter: ["==", ["get", "kind"], "rail"], minzoom: 10, paint: { "line-color": boundary } },
    { id: "borders", type: "line", ...of("boundaries"), paint: { "line-color": border, "line-width": 0.8 } },
    {
      id: "road-names",
      type: "symbol",
      ...of("roads"),
      minzoom: 14,
      layout: { "symbol-placement": "line", "text-field": ["get", "name"], "text-font": FONT, "text-size": 11 },
      paint: { ...text, "text-color": muted },
    },
    {
      id: "place-names",
      type: "symbol",
      ...of("places"),
      filter: ["==", ["get", "kind"], "locality"],
      layout: { "text-field": ["get", "name"], "text-font": FONT, "text-size": 12, "text-max-width": 8 },
      paint: text,
    },
  ];
}
