import { useSignal, useSignalEffect } from "@preact/signals";
import type { MapMouseEvent } from "maplibre-gl";
import type { JSX } from "preact";
import { boxAround } from "../api/geometry.ts";
import { type FlowRows, fetchFlow, type PreviewQuery } from "../api/previews.ts";
import { messageOf } from "../api/problem.ts";
import { Plain } from "../controls/plain.tsx";
import { visible } from "../controls/visible.ts";
import { formatClock, formatCount, formatDecimal } from "../format/format.ts";
import { SLOTS } from "../map-view/base-style.ts";
import { GeographiesInView } from "../map-view/geographies-in-view.tsx";
import { readyMap, showBox } from "../map-view/map-state.ts";
import { addOverlay, type OverlayFeature, setFeatures } from "../map-view/overlay.ts";
import { country } from "../session/session.ts";
import { text } from "../texts.ts";
import { AsCode } from "./as-code.tsx";
import { Chart } from "./chart.tsx";
import { SourceNote } from "./source-note.tsx";
import { dayWindow } from "./state.ts";

const HOUR_MS = 3_600_000;

/** People on a road: the link nearest to a click, and its 24 hours by direction. */
export function FlowPanel(): JSX.Element {
  const place = useSignal<{ readonly lat: number; readonly lon: number } | undefined>(undefined);
  const typed = useSignal("");
  const found = useSignal<FlowRows | undefined>(undefined);
  const fault = useSignal<string | undefined>(undefined);
  const query = useSignal<PreviewQuery | undefined>(undefined);
  useSignalEffect(() => {
    const map = readyMap.value?.map;
    if (!map) return undefined;
    const click = ({ lngLat }: MapMouseEvent): void => {
      place.value = { lat: Number(lngLat.lat.toFixed(6)), lon: Number(lngLat.lng.toFixed(6)) };
      typed.value = `${place.value.lat}, ${place.value.lon}`;
    };
    map.on("click", click);
    map.getCanvas().style.cursor = "crosshair";
    return () => {
      map.off("click", click);
      map.getCanvas().style.cursor = "";
    };
  });
  useSignalEffect(() => {
    const [where, window, code] = [place.value, dayWindow.value, country.value?.country_code];
    if (!where || !window || code === undefined) return undefined;
    const abort = new AbortController();
    const asked = { agg_type: "flow", country_code: code, ...where, ...window };
    query.value = asked;
    fetchFlow(asked, abort.signal).then(
      (answer) => {
        [found.value, fault.value] = [answer, undefined];
        // A place that was typed may be elsewhere.
        const box = boxAround([answer.link.geometry]);
        const bounds = readyMap.peek()?.map.getBounds();
        const isSeen = box && bounds?.contains([box[0], box[1]]) && bounds.contains([box[2], box[3]]);
        if (!isSeen || (readyMap.peek()?.map.getZoom() ?? 0) < 10) showBox(box);
      },
      (error: unknown) => {
        if (!abort.signal.aborted) [found.value, fault.value] = [undefined, messageOf(error)];
      },
    );
    return () => abort.abort();
  });
  useSignalEffect(() => {
    const ready = readyMap.value;
    if (!ready) return undefined;
    const { accent, accentStrong, halo } = ready.palette;
    return addOverlay(
      ready.map,
      "flow",
      [
        {
          id: "flow-casing",
          type: "line",
          source: "flow",
          paint: { "line-color": halo, "line-width": 10 },
          layout: { "line-cap": "round" },
        },
        {
          id: "flow-line",
          type: "line",
          source: "flow",
          paint: { "line-color": accent, "line-width": 5 },
          layout: { "line-cap": "round" },
        },
        {
          id: "flow-place",
          type: "circle",
          source: "flow",
          filter: ["==", ["geometry-type"], "Point"],
          paint: { "circle-radius": 5, "circle-color": accentStrong, "circle-stroke-color": halo, "circle-stroke-width": 2 },
        },
      ],
      SLOTS.labels,
    );
  });
  useSignalEffect(() => {
    const map = readyMap.value?.map;
    if (!map) return;
    const features: OverlayFeature[] = [];
    if (found.value) features.push({ id: 0, geometry: found.value.link.geometry, properties: {} });
    if (place.value) features.push({ id: 1, geometry: { type: "Point", coordinates: [place.value.lon, place.value.lat] }, properties: {} });
    setFeatures(map, "flow", features);
  });
  const search = (event: Event): void => {
    event.preventDefault();
    const [lat, lon] = typed.value.split(/[\s,;]+/).map(Number);
    if (lat !== undefined && lon !== undefined && Number.isFinite(lat) && Number.isFinite(lon)) place.value = { lat, lon };
    else fault.value = text("jobs.badPlace");
  };
  return (
    <div class="stack">
      {country.value && <GeographiesInView country={country.value.country_code} geoType="osm_links" />}
      <p class="hint">{text("flow.click")}</p>
      <form class="inline" onSubmit={search}>
        <input
          aria-label={text("jobs.place")}
          placeholder="59.437, 24.7454"
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
        <button type="submit">{text("flow.find")}</button>
      </form>
      {fault.value !== undefined && (
        <p class="fault" role="alert">
          {fault.value}
        </p>
      )}
      {found.value && <Link found={found.value} />}
      {found.value && <AsCode query={query.value} />}
    </div>
  );
}

function Link({ found }: { readonly found: FlowRows }): JSX.Element {
  const [first] = found.results;
  const isCounted = found.results.some(({ time_bucket }) => time_bucket !== null);
  const times = isCounted ? hoursOf(dayWindow.value) : [];
  const of = (direction: number): (number | null)[] =>
    times.map((time) => found.results.find((row) => row.time_bucket === time && row.direction === direction)?.people ?? null);
  const [along, against] = [of(1), of(-1)];
  const label = text("flow.chart", { name: visible(found.link.link_name) });
  return (
    <>
      <h2>
        <Plain value={found.link.link_name} />
      </h2>
      <p class="hint">
        {first && text("flow.link", { type: first.link_type, distance: formatDecimal(first.distance_m) })} · {found.link.link_id}
      </p>
      {times.length === 0 ? (
        <p class="notice">{text("flow.none")}</p>
      ) : (
        <>
          <Chart
            label={label}
            times={times}
            series={[
              { name: text("flow.along"), values: along },
              { name: text("flow.against"), values: against },
            ]}
          />
          <details>
            <summary>{text("explore.table")}</summary>
            <div class="table-place tall">
              <table>
                <thead>
                  <tr>
                    <th scope="col">{text("explore.hour")}</th>
                    <th scope="col" class="number">
                      {text("flow.along")}
                    </th>
                    <th scope="col" class="number">
                      {text("flow.against")}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {times.map((time, index) => (
                    <tr key={time}>
                      <th scope="row">{formatClock(time)}</th>
                      <td class="number">{shown(along[index])}</td>
                      <td class="number">{shown(against[index])}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </details>
        </>
      )}
      <SourceNote source={found} />
    </>
  );
}

/** The starts of the hours of a day, which has 23 or 25 when the clocks change. */
function hoursOf(window: { readonly start_time: string; readonly end_time: string } | undefined): string[] {
  const [start, end] = [Date.parse(window?.start_time ?? ""), Date.parse(window?.end_time ?? "")];
  return Array.from({ length: Math.max(0, Math.round((end - start) / HOUR_MS)) }, (_, index) =>
    new Date(start + index * HOUR_MS).toISOString(),
  );
}

function shown(people: number | null | undefined): string {
  return people === null || people === undefined ? "–" : formatCount(people);
}
