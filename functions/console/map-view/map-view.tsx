import { useSignalEffect } from "@preact/signals";
import { AttributionControl, Map as MapLibre, NavigationControl, ScaleControl, setWorkerUrl } from "maplibre-gl";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { FOLDER } from "../api/config.ts";
import { country } from "../session/session.ts";
import { text } from "../texts.ts";
import { baseStyle } from "./base-style.ts";
import { Boundaries } from "./boundaries.tsx";
import { canDraw, isMotionReduced, readyMap, showBox } from "./map-state.ts";
import { palette } from "./palette.ts";

setWorkerUrl(`${location.origin}${FOLDER}${CONSOLE_FILES["map-worker.js"]}`);

/** The map of the pages that have one. It stays while pages change. */
export function MapView(): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!hasWebGl()) {
      canDraw.value = false;
      return undefined;
    }
    const container = place.current;
    if (!container) return undefined;
    let map: MapLibre | undefined;
    const style = loadMapStyle();
    style.addEventListener("load", () => {
      map = createMap(container);
    });
    return () => {
      readyMap.value = undefined;
      map?.remove();
      style.remove();
    };
  }, []);
  // The system's setting changed.
  useSignalEffect(() => {
    const colours = palette.value;
    const ready = readyMap.peek();
    if (!ready || ready.palette === colours) return;
    readyMap.value = undefined;
    ready.map.setStyle(baseStyle(colours));
    ready.map.once("styledata", () => {
      readyMap.value = { map: ready.map, palette: colours };
    });
  });
  useSignalEffect(() => {
    const shown = country.value;
    if (readyMap.value && shown?.extent) showBox(shown.extent, false);
  });
  if (!canDraw.value) return <p class="no-map">{text("map.cannotDraw")}</p>;
  return (
    <>
      <div ref={place} class="map" />
      <Boundaries />
    </>
  );
}

function createMap(container: HTMLElement): MapLibre {
  const colours = palette.peek();
  const extent = country.peek()?.extent;
  const map = new MapLibre({
    container,
    style: baseStyle(colours),
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
  map.addControl(new ScaleControl({ maxWidth: 120 }), "bottom-right");
  map.addControl(new AttributionControl({ compact: false }), "bottom-right");
  map.once("load", () => {
    readyMap.value = { map, palette: colours };
  });
  return map;
}

function loadMapStyle(): HTMLLinkElement {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = document.body.dataset.mapStyle ?? "";
  document.head.append(link);
  return link;
}

function hasWebGl(): boolean {
  return document.createElement("canvas").getContext("webgl2") !== null;
}
