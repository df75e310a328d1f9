import type { GeoJSONSource, GeoJSONSourceSpecification, LayerSpecification, Map as MapLibre } from "maplibre-gl";
import type { Geometry } from "../api/geometry.ts";

/** A feature of an overlay. Ids are small numbers that the overlay gives, for the states of features. */
export interface OverlayFeature {
  readonly id: number;
  readonly geometry: Geometry | { readonly type: "Point"; readonly coordinates: [number, number] };
  readonly properties: Readonly<Record<string, string | number | boolean>>;
}

/** How many features are added at a time, so that no task of the main thread is long. */
const PORTION = { cells: 1000, boundaries: 200 } as const;

/** Adds a source and its layers below a slot; returns what removes them. */
export function addOverlay(map: MapLibre, source: string, layers: readonly LayerSpecification[], slot: string): () => void {
  const specification: GeoJSONSourceSpecification = { type: "geojson", data: { type: "FeatureCollection", features: [] } };
  map.addSource(source, specification);
  for (const layer of layers) map.addLayer(layer, slot);
  return () => {
    // A new style has removed them already.
    for (const { id } of layers) if (map.getLayer(id)) map.removeLayer(id);
    if (map.getSource(source)) map.removeSource(source);
  };
}

/** Replaces the features of a source. */
export function setFeatures(map: MapLibre, source: string, features: readonly OverlayFeature[]): void {
  sourceOf(map, source)?.setData({ type: "FeatureCollection", features: features.map(asGeoJson) });
}

/** Adds features to a source in portions; stops when the source is gone. */
export async function addFeatures(
  map: MapLibre,
  source: string,
  features: readonly OverlayFeature[],
  kind: keyof typeof PORTION,
): Promise<void> {
  for (let from = 0; from < features.length; from += PORTION[kind]) {
    const found = sourceOf(map, source);
    if (!found) return;
    await found.updateData({ add: features.slice(from, from + PORTION[kind]).map(asGeoJson) });
  }
}

function sourceOf(map: MapLibre, source: string): GeoJSONSource | undefined {
  return map.getSource<GeoJSONSource>(source);
}

function asGeoJson({ id, geometry, properties }: OverlayFeature) {
  return { type: "Feature" as const, id, properties: { ...properties }, geometry };
}
