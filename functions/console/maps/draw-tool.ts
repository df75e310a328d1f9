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
import { followTouches } from "./touches.ts";

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
/** A finger that rests trembles by this many pixels. */
const TREMBLE_PX = 4;

interface DrawListeners {
  /** Called with each finished shape: drawn, or with a vertex moved; and whether the movement that made the last shape goes on. */
  readonly onShape: (polygon: PolygonGeometry, isSameStep: boolean) => void;
  /** Called when the last shape came from a movement that was none. */
  readonly onMistake: () => void;
  /** Called with whether there is a point of an unfinished drawing to take back. */
  readonly onPoint: (canUndo: boolean) => void;
}

/** The map's events as the drawing library takes them, which knows one finger only. */
class OneFinger extends TerraDrawMapLibreGLAdapter<MapLibre> {
  /** Ends what the finger does, without effect. */
  letGo(): void {
    this._dragState = "not-dragging";
    this.setDraggability(true);
  }
}

export function createDrawTool(map: MapLibre, palette: Palette, { onShape, onMistake, onPoint }: DrawListeners): DrawTool {
  const finger = new OneFinger({ map, coordinatePrecision: DECIMALS, minPixelDragDistanceSelecting: TREMBLE_PX });
  let hasRested = false;
  const draw = new TerraDraw({
    adapter: finger,
    modes: modes(palette, () => hasRested),
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
  const begin = ({ isPrimary }: PointerEvent): void => {
    if (!isPrimary) return;
    isInserted = false;
    hasRested = false;
  };
  map.getContainer().addEventListener("pointerdown", begin, { capture: true });
  draw.on("finish", (id, { action }) => {
    const shape = shapeOf(draw, id);
    if (!shape) return;
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
  const show: DrawTool["show"] = (polygon) => {
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
  };
  let touched: PolygonGeometry | undefined;
  const endTouches = followTouches(map.getContainer(), {
    onFirst: () => {
      const [id] = ids();
      touched = id === undefined || draw.getMode() !== MODES.edit ? undefined : shapeOf(draw, id);
    },
    // Two fingers move the map.
    onSecond: () => {
      finger.letGo();
      if (isInserted) onMistake();
      else if (touched) show(touched);
    },
    onLongPress: () => {
      if (draw.getMode() !== MODES.edit) return;
      hasRested = true;
      map.getCanvas().dispatchEvent(new MouseEvent("contextmenu"));
    },
  });
  return {
    use: (tool) => {
      if (draw.getMode() === MODES[tool]) return;
      const [id] = ids();
      if (tool === "edit" && id !== undefined) edit(id);
      else draw.setMode(MODES[tool]);
      tellPoint();
    },
    show,
    undoPoint: () => draw.getMode() !== "select" && draw.undo(),
    remove: () => {
      endTouches();
      map.getContainer().removeEventListener("pointerdown", begin, { capture: true });
      // A new style has removed its layers already.
      if (map.getStyle()) draw.stop();
    },
  };
}

/** Returns a polygon that is drawn; undefined for what is none. */
function shapeOf(draw: TerraDraw, id: string | number): PolygonGeometry | undefined {
  const geometry = draw.getSnapshotFeature(id)?.geometry;
  if (geometry?.type !== "Polygon") return undefined;
  return { type: "Polygon", coordinates: geometry.coordinates.map((ring) => ring.map(([lon = 0, lat = 0]): Position => [lon, lat])) };
}

/** @param hasRested whether the finger that goes up has rested */
function modes({ accent, halo }: Palette, hasRested: () => boolean) {
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
      // Not every menu: on Windows that of a mouse opens after its button is up, and the next click would be taken for it.
      pointerEvents: { leftClick: true, rightClick: true, contextMenu: hasRested, onDragStart: true, onDrag: true, onDragEnd: true },
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
