import { useSignal, useSignalEffect } from "@preact/signals";
import { AttributionControl, Map as MapLibre, NavigationControl, Popup, ScaleControl, setWorkerUrl } from "maplibre-gl";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { FOLDER } from "../api/config.ts";
import { Fault } from "../controls/fault.tsx";
import { loadDrawing } from "../maps/drawing.tsx";
import { country } from "../session/session.ts";
import { fetchFile } from "../shell/parts.ts";
import { text } from "../texts.ts";
import { loadBaseMap } from "./base-map.ts";
import { type BaseMap, naturalEarth } from "./base-style.ts";
import { Boundaries } from "./boundaries.tsx";
import { canDraw, isMotionReduced, readyMap, showBox } from "./map-state.ts";
import { palette } from "./palette.ts";

const WORKER = `${location.origin}${FOLDER}${CONSOLE_FILES["map-worker.js"]}`;
setWorkerUrl(WORKER);

/** The map of the pages that have one. It stays while pages change. */
export function MapView(): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const base = useRef<BaseMap>(naturalEarth);
  const fault = useSignal<unknown>(undefined);
  const tries = useSignal(0);
  useEffect(() => {
    if (!hasWebGl()) {
      canDraw.value = false;
      return undefined;
    }
    const container = place.current;
    if (!container) return undefined;
    let map: MapLibre | undefined;
    let isShown = true;
    const create = async (): Promise<void> => {
      const [loaded] = await Promise.all([loadBaseMap(), loadMapStyle(), fetchFile(WORKER), loadDrawing()]);
      base.current = loaded;
      if (isShown) map = createMap(container, loaded);
    };
    create().catch((error: unknown) => {
      if (isShown) fault.value = error;
    });
    return () => {
      isShown = false;
      readyMap.value = undefined;
      map?.remove();
    };
  }, [tries.value]);
  // The system's setting changed.
  useSignalEffect(() => {
    const colours = palette.value;
    const ready = readyMap.peek();
    if (!ready || ready.palette === colours) return;
    readyMap.value = undefined;
    ready.map.setStyle(base.current(colours));
    ready.map.once("styledata", () => {
      readyMap.value = { ...ready, palette: colours };
    });
  });
  useSignalEffect(() => {
    const shown = country.value;
    if (readyMap.value && shown?.extent) showBox(shown.extent, { animate: false });
  });
  const askAgain = (): void => {
    fault.value = undefined;
    tries.value++;
  };
  if (!canDraw.value) return <p class="no-map">{text("map.cannotDraw")}</p>;
  return (
    <>
      <div ref={place} class="map" aria-busy={readyMap.value === undefined} />
      {fault.value !== undefined && (
        <div class="no-map">
          <Fault of={fault.value} onAgain={askAgain} />
        </div>
      )}
      <Boundaries />
    </>
  );
}

function createMap(container: HTMLElement, base: BaseMap): MapLibre {
  const colours = palette.peek();
  const extent = country.peek()?.extent;
  const map = new MapLibre({
    container,
    style: base(colours),
    ...(extent ? { bounds: extent, fitBoundsOptions: { padding: 32 } } : { center: [15, 60], zoom: 3 }),
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    renderWorldCopies: false,
    // Names fade in over this many milliseconds.
    fadeDuration: isMotionReduced() ? 0 : 300,
    locale: {
      "NavigationControl.ZoomIn": text("map.zoomIn"),
      "NavigationControl.ZoomOut": text("map.zoomOut"),
      "Map.Title": text("map.label"),
    },
  });
  map.touchZoomRotate.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), "top-right");
  map.addControl(new ScaleControl({ maxWidth: 120 }), "bottom-left");
  map.addControl(new AttributionControl({ compact: false }), "bottom-right");
  map.once("load", () => {
    readyMap.value = { map, palette: colours, createPopup: (options) => new Popup(options) };
  });
  return map;
}

/** Loads the style sheet of the map, unless it is there. */
function loadMapStyle(): Promise<void> {
  return new Promise((resolve, reject) => {
    const href = document.body.dataset.mapStyle ?? "";
    if (document.querySelector(`link[href="${href}"]`)) return resolve();
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => {
      link.remove();
      reject(new Error(text("error.part")));
    });
    document.head.append(link);
  });
}

function hasWebGl(): boolean {
  return document.createElement("canvas").getContext("webgl2") !== null;
}
