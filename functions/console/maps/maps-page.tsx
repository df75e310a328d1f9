import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { readHeadcounts } from "../headcounts/headcounts.ts";
import { route } from "../shell/route.ts";
import { draft } from "./draft.ts";
import { DraftPanel } from "./draft-panel.tsx";
import { MapPanel } from "./map-panel.tsx";
import { MapsLayer } from "./maps-layer.tsx";
import { MapsList } from "./maps-list.tsx";
import { loadMaps, maps } from "./store.ts";

/** The customer's maps: the list, one of them, or the one that is being drawn. */
export function MapsPage(): JSX.Element {
  useEffect(() => {
    if (maps.peek() === undefined) void loadMaps();
    return readHeadcounts();
  }, []);
  const { rest } = route.value;
  return (
    <div class="panel">
      <MapsLayer />
      {draft.value ? <DraftPanel /> : rest === undefined ? <MapsList /> : <MapPanel key={rest} id={rest} />}
    </div>
  );
}
