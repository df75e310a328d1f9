import type { StyleSpecification } from "maplibre-gl";
import * as v from "valibot";
import { messageOf } from "../../../shared/runtime/error-message.ts";
import { config } from "../api/config.ts";
import { notify } from "../shell/notices.tsx";
import { text } from "../texts.ts";
import { type BaseMap, naturalEarth, withSlots } from "./base-style.ts";

const Style = v.looseObject({
  version: v.literal(8),
  sources: v.record(v.string(), v.looseObject({ type: v.string(), url: v.optional(v.string()) })),
  layers: v.array(v.looseObject({ id: v.string(), type: v.string() })),
});
/** A style document; MapLibre itself checks the rest of it. */
const StyleDocument = v.custom<StyleSpecification>((value) => v.is(Style, value), "it is not a style of version 8");

/** Loads the base map that the operator configured; the built-in one if there is none, or if it cannot be loaded, which is told. */
export async function loadBaseMap(): Promise<BaseMap> {
  const configured = (await config()).base_map;
  if (!configured) return naturalEarth;
  const address = new URL(configured.url, location.href).href;
  try {
    return configured.kind === "style" ? await styleAt(address) : await (await import("./pmtiles.ts")).pmtilesAt(address);
  } catch (error) {
    notify(text("map.fallback", { reason: messageOf(error) }));
    return naturalEarth;
  }
}

/** A style document. Its fonts are left out: labels are drawn with those of the machine, as everywhere on this map. */
async function styleAt(address: string): Promise<BaseMap> {
  const answer = await fetch(address, { credentials: "omit" });
  if (!answer.ok) throw new Error(text("error.answered", { host: new URL(address).host, status: answer.status }));
  const { glyphs: _glyphs, ...style } = v.parse(StyleDocument, await answer.json());
  const isPmtiles = Object.values(style.sources).some((source) => "url" in source && source.url?.startsWith("pmtiles://"));
  if (isPmtiles) (await import("./pmtiles.ts")).usePmtiles();
  return () => withSlots(style);
}
