import type { MapLayerMouseEvent } from "maplibre-gl";
import { visible } from "../controls/visible.ts";
import type { ReadyMap } from "./map-state.ts";

/** What is said about the thing under the pointer. */
interface Tip {
  readonly title: string;
  readonly value?: string;
}

/**
 * Shows at the pointer what a layer has there. Returns what ends it.
 * @param tipOf what is said about the feature with an id; undefined for nothing
 */
export function addTooltip({ map, createPopup }: ReadyMap, layer: string, tipOf: (id: number) => Tip | undefined): () => void {
  const popup = createPopup({ closeButton: false, closeOnClick: false, className: "tooltip", offset: 12, maxWidth: "260px" });
  const move = ({ features, lngLat }: MapLayerMouseEvent): void => {
    const tip = tipOf(Number(features?.[0]?.id));
    if (!tip) return void popup.remove();
    popup.setLngLat(lngLat).setDOMContent(contentOf(tip)).addTo(map);
  };
  const leave = (): void => {
    popup.remove();
  };
  map.on("mousemove", layer, move);
  map.on("mouseleave", layer, leave);
  return () => {
    map.off("mousemove", layer, move);
    map.off("mouseleave", layer, leave);
    popup.remove();
  };
}

/** Names stay text, whatever they contain. */
function contentOf({ title, value }: Tip): HTMLElement {
  const content = document.createElement("div");
  const name = document.createElement("bdi");
  name.textContent = visible(title);
  content.append(name);
  if (value !== undefined) {
    const line = document.createElement("span");
    line.textContent = value;
    content.append(line);
  }
  return content;
}
