import { useSignalEffect } from "@preact/signals";
import type { LayerSpecification } from "maplibre-gl";
import { allGeographies } from "../api/geographies.ts";
import { country } from "../session/session.ts";
import { notifyFault } from "../shell/notices.tsx";
import { FONT, SLOTS } from "./base-style.ts";
import { readyMap } from "./map-state.ts";
import { addFeatures, addOverlay, setFeatures } from "./overlay.ts";
import type { Palette } from "./palette.ts";

const TYPE = "admin_level_2";

/** The customer's municipalities, drawn as thin lines with their names. */
export function Boundaries(): null {
  useSignalEffect(() => {
    const ready = readyMap.value;
    const code = country.value?.country_code;
    const has = country.value?.products.some(({ geo_types }) => geo_types.includes(TYPE));
    if (!ready || code === undefined || !has) return undefined;
    const { map, palette } = ready;
    const removeLines = addOverlay(map, "boundaries", [lines(palette)], SLOTS.maps);
    const removeNames = addOverlay(map, "boundary-names", [names(palette)], SLOTS.labels);
    let isCurrent = true;
    allGeographies(code, TYPE)
      .then(async (found) => {
        if (!isCurrent) return;
        setFeatures(
          map,
          "boundary-names",
          found.map(({ name, lon, lat }, id) => ({ id, geometry: { type: "Point", coordinates: [lon, lat] }, properties: { name } })),
        );
        await addFeatures(
          map,
          "boundaries",
          found.map(({ geometry }, id) => ({ id, geometry, properties: {} })),
          "boundaries",
        );
      })
      .catch((error: unknown) => isCurrent && notifyFault(error));
    return () => {
      isCurrent = false;
      removeLines();
      removeNames();
    };
  });
  return null;
}

function lines({ boundary }: Palette): LayerSpecification {
  return {
    id: "boundaries",
    type: "line",
    source: "boundaries",
    paint: { "line-color": boundary, "line-width": ["interpolate", ["linear"], ["zoom"], 5, 0.4, 10, 1.2] },
  };
}

function names({ label, halo }: Palette): LayerSpecification {
  return {
    id: "boundary-names",
    type: "symbol",
    source: "boundary-names",
    minzoom: 6.5,
    layout: {
      "text-field": ["get", "name"],
      "text-font": FONT,
      "text-size": ["interpolate", ["linear"], ["zoom"], 6, 10, 11, 14],
      "text-max-width": 7,
    },
    paint: { "text-color": label, "text-halo-color": halo, "text-halo-width": 1.4 },
  };
}
