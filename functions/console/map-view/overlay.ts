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

/** Groups the polygons of many small geometries, for features that are drawn in one look. Others stay as they are. */
export function portionsOf(geometries: readonly Geometry[]): Geometry[] {
  if (geometries.length === 1) return [...geometries];
  const polygons = geometries.flatMap((one) =>
    one.type === "Polygon" ? [one.coordinates] : one.type === "MultiPolygon" ? one.coordinates : [],
  );
  return Array.from({ length: Math.ceil(polygons.length / PORTION.cells) }, (_, index) => ({
    type: "MultiPolygon",
    coordinates: polygons.slice(index * PORTION.cells, (index + 1) * PORTION.cells),
  }));
}

/** Replaces the features of a source, large ones one after the other. A later call takes over. */
export async function drawInPortions(map: MapLibre, source: string, features: readonly OverlayFeature[]): Promise<void> {
  const turn = (turns.get(source) ?? 0) + 1;
  turns.set(source, turn);
  const [first = [], ...others] = grouped(features);
  setFeatures(map, source, first);
  for (const portion of others) {
    await sourceOf(map, source)?.updateData({ add: portion.map(asGeoJson) });
    if (turns.get(source) !== turn) return;
  }
}

/** How often each source was drawn anew. */
const turns = new Map<string, number>();

/** Features in groups of at most a portion of polygons. */
function grouped(features: readonly OverlayFeature[]): OverlayFeature[][] {
  const groups: OverlayFeature[][] = [];
  let size = Infinity;
  for (const feature of features) {
    const polygons = feature.geometry.type === "MultiPolygon" ? feature.geometry.coordinates.length : 1;
    if (size + polygons > PORTION.cells) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)?.push(feature);
    size += polygons;
  }
  return groups;
}

function sourceOf(map: MapLibre, source: string): GeoJSONSource | undefined {
  return map.getSource<GeoJSONSource>(source);
}

function asGeoJson({ id, geometry, properties }: OverlayFeature) {
  return { type: "Feature" as const, id, properties: { ...properties }, geometry };
}
