import { useSignal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { findGeographies, type Geography } from "../api/geographies.ts";
import { fetchOdm, type OdmRows, type PreviewQuery } from "../api/previews.ts";
import { Fault } from "../controls/fault.tsx";
import { FindForm } from "../controls/find-form.tsx";
import { Plain } from "../controls/plain.tsx";
import { WordOptions } from "../controls/word-options.tsx";
import { formatCount } from "../format/format.ts";
import { GeographiesInView } from "../map-view/geographies-in-view.tsx";
import { country } from "../session/session.ts";
import { text } from "../texts.ts";
import { AsCode } from "./as-code.tsx";
import { OdmLayer, type Trip } from "./odm-layer.tsx";
import { SourceNote } from "./source-note.tsx";
import { dayWindow } from "./state.ts";

const SIDES = ["origin", "destination"] as const;
type Side = (typeof SIDES)[number];
/** The lines on the map, and the rows of the list. */
const LINES_MAX = 300;
const RANKED_MAX = 50;

/** Trips from or to one area: lines on the map and a ranked list. */
export function OdmPanel(): JSX.Element {
  const types = country.value?.products.find(({ agg_type }) => agg_type === "odm")?.geo_types.filter((type) => type !== "osm_links") ?? [];
  const side = useSignal<Side>("origin");
  const chosenType = useSignal<string | undefined>(undefined);
  const area = useSignal<Geography | undefined>(undefined);
  const name = useSignal("");
  const found = useSignal<OdmRows | undefined>(undefined);
  const others = useSignal<ReadonlyMap<number, Geography>>(new Map());
  const query = useSignal<PreviewQuery | undefined>(undefined);
  /** A sentence about what was typed, or what was thrown when the service was asked. */
  const fault = useSignal<unknown>(undefined);
  const tries = useSignal(0);
  const preferred = types.find((one) => one === "admin_level_2") ?? types[0];
  const type = chosenType.value ?? preferred;

  const choose = async (): Promise<void> => {
    const code = country.peek()?.country_code;
    const geoType = chosenType.peek() ?? preferred;
    if (code === undefined || geoType === undefined) return;
    try {
      const [first] = await findGeographies({ country: code, geoType, name: name.value }, 1);
      [area.value, found.value] = [first, undefined];
      fault.value = first ? undefined : text("odm.noArea");
    } catch (error) {
      fault.value = error;
    }
  };
  useSignalEffect(() => {
    const [from, window, code, ownSide] = [area.value, dayWindow.value, country.value?.country_code, side.value];
    const geoType = chosenType.value ?? preferred;
    void tries.value;
    if (!from || !window || code === undefined || geoType === undefined) return undefined;
    const abort = new AbortController();
    const asked = {
      agg_type: "odm",
      country_code: code,
      origin_geo_type: geoType,
      destination_geo_type: geoType,
      [`${ownSide}_geo_ids`]: from.id,
      ...window,
    };
    query.value = asked;
    const load = async (): Promise<void> => {
      const answer = await fetchOdm(asked, abort.signal);
      const ids = answer.results.slice(0, LINES_MAX).map((row) => (ownSide === "origin" ? row.destination_geo_id : row.origin_geo_id));
      const named = ids.length === 0 ? [] : await findGeographies({ country: code, geoType, ids, signal: abort.signal });
      if (abort.signal.aborted) return;
      others.value = new Map(named.map((one) => [one.id, one]));
      [found.value, fault.value] = [answer, undefined];
    };
    load().catch((error: unknown) => {
      if (!abort.signal.aborted) fault.value = error;
    });
    return () => abort.abort();
  });
  const askAgain = (): void => {
    fault.value = undefined;
    if (area.value) tries.value++;
    else void choose();
  };
  const trips = tripsOf(found.value, side.value);
  return (
    <div class="stack">
      <OdmLayer area={area.value} trips={trips.slice(0, LINES_MAX)} others={others.value} />
      {country.value && type !== undefined && (
        <GeographiesInView
          country={country.value.country_code}
          geoType={type}
          picked={new Set(area.value ? [area.value.id] : [])}
          onPick={(clicked) => {
            [area.value, found.value, fault.value] = [clicked, undefined, undefined];
          }}
        />
      )}
      <div class="pair">
        <div class="field">
          <label for="odm-side">{text("odm.side")}</label>
          <select
            id="odm-side"
            value={side.value}
            onChange={({ currentTarget }) => {
              side.value = SIDES.find((one) => one === currentTarget.value) ?? "origin";
              found.value = undefined;
            }}
          >
            <WordOptions values={SIDES} prefix="odm" />
          </select>
        </div>
        <div class="field">
          <label for="odm-type">{text("explore.areas")}</label>
          <select
            id="odm-type"
            value={type}
            onChange={({ currentTarget }) => {
              chosenType.value = currentTarget.value;
              [area.value, found.value] = [undefined, undefined];
            }}
          >
            <WordOptions values={types} prefix="type" />
          </select>
        </div>
      </div>
      <p class="hint">{text("odm.click")}</p>
      <FindForm label={text("odm.name")} placeholder={text("odm.name")} typed={name} onFind={() => void choose()} />
      <Fault of={fault.value} onAgain={fault.value instanceof Error ? askAgain : undefined} />
      {area.value && (
        <h2>
          {text(`odm.of.${side.value}`)} <Plain value={area.value.name} />
        </h2>
      )}
      {area.value && !found.value && fault.value === undefined && <p class="muted">{text("loading")}</p>}
      {found.value && (
        <>
          {trips.length === 0 && <p class="notice">{text("odm.none")}</p>}
          <ol class="ranking plain">
            {trips.slice(0, RANKED_MAX).map(({ id, trips: count }) => (
              <li key={id}>
                <span class="bar-place">
                  <span class="bar-fill" style={{ width: `${(count / (trips[0]?.trips ?? 1)) * 100}%` }} />
                  <Plain value={id === area.value?.id ? text("odm.within") : (others.value.get(id)?.name ?? String(id))} />
                </span>
                <span class="number">{formatCount(count)}</span>
              </li>
            ))}
          </ol>
          <SourceNote source={found.value} types={{ geo_type: type ?? "", destination_geo_type: type }} />
          <AsCode query={query.value} />
        </>
      )}
    </div>
  );
}

/** The other side of each pair with its trips, most first. */
function tripsOf(found: OdmRows | undefined, side: Side): Trip[] {
  return (found?.results ?? [])
    .map((row) => ({ id: side === "origin" ? row.destination_geo_id : row.origin_geo_id, trips: row.trips }))
    .sort((a, b) => b.trips - a.trips);
}
