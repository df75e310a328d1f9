import type { Map as MapLibre } from "maplibre-gl";
import {
  TerraDraw,
  TerraDrawCircleMode,
  TerraDrawModeUndoRedo,
  TerraDrawPolygonMode,
  TerraDrawRectangleMode,
  TerraDrawSelectMode,
} from "terra-draw";
import { TerraDrawMapLibreGLAdapter } from "terra-draw-maplibre-gl-adapter";
import type { PolygonGeometry, Position } from "../api/geometry.ts";
import type { Palette } from "../map-view/palette.ts";
import type { Tool } from "./draft.ts";

/** Draws one polygon on a map and moves its vertices. */
export interface DrawTool {
  readonly use: (tool: Tool) => void;
  /** Shows a polygon to edit; undefined clears. Returns false for one that cannot be edited by hand, such as one with holes. */
  readonly show: (polygon: PolygonGeometry | undefined) => boolean;
  /** Takes the last point of an unfinished drawing back; false if there is none. */
  readonly undoPoint: () => boolean;
  readonly remove: () => void;
}

const MODES: Readonly<Record<Tool, string>> = { polygon: "polygon", rectangle: "rectangle", circle: "circle", edit: "select" };
/** The drawing library takes at most nine decimals. */
const DECIMALS = 9;

/**
 * @param onShape called with each finished shape: drawn, or with a vertex moved; and whether the movement that made the last shape goes on
 * @param onPoint called with whether there is a point of an unfinished drawing to take back
 */
export function createDrawTool(
  map: MapLibre,
  palette: Palette,
  onShape: (polygon: PolygonGeometry, isSameStep: boolean) => void,
  onPoint: (canUndo: boolean) => void,
): DrawTool {
  const draw = new TerraDraw({
    adapter: new TerraDrawMapLibreGLAdapter({ map, coordinatePrecision: DECIMALS }),
    modes: modes(palette),
    undoRedo: { modeLevel: new TerraDrawModeUndoRedo() },
  });
  draw.start();
  const ids = (): (string | number)[] => draw.getSnapshot().flatMap(({ id }) => id ?? []);
  const edit = (id: string | number): void => {
    draw.setMode("select");
    draw.selectFeature(id);
  };
  const tellPoint = (): void => onPoint(draw.getMode() !== MODES.edit && draw.canUndo());
  draw.on("history", tellPoint);
  draw.on("change", tellPoint);
  // A midpoint that is dragged becomes a corner first, and is moved then.
  let isInserted = false;
  const begin = (): void => {
    isInserted = false;
  };
  map.getContainer().addEventListener("pointerdown", begin, { capture: true });
  draw.on("finish", (id, { action }) => {
    const geometry = draw.getSnapshotFeature(id)?.geometry;
    if (geometry?.type !== "Polygon") return;
    const shape: PolygonGeometry = {
      type: "Polygon",
      coordinates: geometry.coordinates.map((ring) => ring.map(([lon = 0, lat = 0]): Position => [lon, lat])),
    };
    if (action !== "draw") {
      onShape(shape, isInserted);
      isInserted = action === "insertMidpoint";
      return;
    }
    const others = draw
      .getSnapshot()
      .flatMap((feature) => (feature.id !== id && feature.geometry.type === "Polygon" ? (feature.id ?? []) : []));
    draw.removeFeatures(others);
    // The mode ends its own drawing first.
    queueMicrotask(() => {
      edit(id);
      onShape(shape, false);
    });
  });
  return {
    use: (tool) => {
      if (draw.getMode() === MODES[tool]) return;
      const [id] = ids();
      if (tool === "edit" && id !== undefined) edit(id);
      else draw.setMode(MODES[tool]);
      tellPoint();
    },
    show: (polygon) => {
      draw.clear();
      if (!polygon) return true;
      if (polygon.coordinates.length !== 1) return false;
      const coordinates = polygon.coordinates.map((ring) =>
        ring.map(([lon, lat]) => [Number(lon.toFixed(DECIMALS)), Number(lat.toFixed(DECIMALS))]),
      );
      const [added] = draw.addFeatures([{ type: "Feature", properties: { mode: "polygon" }, geometry: { type: "Polygon", coordinates } }]);
      if (!added?.valid || added.id === undefined) return false;
      edit(added.id);
      return true;
    },
    undoPoint: () => draw.getMode() !== "select" && draw.undo(),
    remove: () => {
      map.getContainer().removeEventListener("pointerdown", begin, { capture: true });
      // A new style has removed its layers already.
      if (map.getStyle()) draw.stop();
    },
  };
}

function modes({ accent, halo }: Palette) {
  const colour = hex(accent);
  const white = hex(halo);
  const area = { fillColor: colour, fillOpacity: 0.18, outlineColor: colour, outlineWidth: 2 };
  return [
    new TerraDrawPolygonMode({
      styles: { ...area, closingPointColor: colour, closingPointOutlineColor: white, closingPointWidth: 6, closingPointOutlineWidth: 2 },
    }),
    new TerraDrawRectangleMode({ styles: area }),
    new TerraDrawCircleMode({ styles: area }),
    new TerraDrawSelectMode({
      flags: Object.fromEntries(
        ["polygon", "rectangle", "circle"].map((mode) => [
          mode,
          { feature: { draggable: true, coordinates: { midpoints: { draggable: true }, draggable: true, deletable: true } } },
        ]),
      ),
      styles: {
        selectedPolygonColor: colour,
        selectedPolygonFillOpacity: 0.18,
        selectedPolygonOutlineColor: colour,
        selectedPolygonOutlineWidth: 2,
        selectionPointColor: white,
        selectionPointOutlineColor: colour,
        selectionPointOutlineWidth: 2,
        selectionPointWidth: 6,
        midPointColor: colour,
        midPointOutlineColor: white,
        midPointWidth: 4,
        midPointOutlineWidth: 1,
      },
    }),
  ];
}

function hex(colour: string): `#${string}` {
  return `#${colour.slice(1)}`;
}
