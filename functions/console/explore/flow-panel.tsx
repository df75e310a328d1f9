import { useSignal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { boxAround } from "../api/geometry.ts";
import { type FlowRows, fetchFlow, type PreviewQuery } from "../api/previews.ts";
import { Fault } from "../controls/fault.tsx";
import { FindForm } from "../controls/find-form.tsx";
import { Plain } from "../controls/plain.tsx";
import { visible } from "../controls/visible.ts";
import { formatClock, formatCount, formatDecimal } from "../format/format.ts";
import { type Place, placeOf } from "../format/place.ts";
import { GeographiesInView } from "../map-view/geographies-in-view.tsx";
import { readyMap, showBox } from "../map-view/map-state.ts";
import { country } from "../session/session.ts";
import { text } from "../texts.ts";
import { AsCode } from "./as-code.tsx";
import { Chart } from "./chart.tsx";
import { FlowLayer } from "./flow-layer.tsx";
import { SourceNote } from "./source-note.tsx";
import { dayWindow } from "./state.ts";

const HOUR_MS = 3_600_000;
/** From which zoom on a click meets a road, and the one that shows a single link. */
const SEEN_FROM_ZOOM = 10;
const LINK_ZOOM = 15;

/** People on a road: the link nearest to a click, and its 24 hours by direction. */
export function FlowPanel(): JSX.Element {
  const place = useSignal<Place | undefined>(undefined);
  const typed = useSignal("");
  const isTyped = useSignal(false);
  const found = useSignal<FlowRows | undefined>(undefined);
  /** A sentence about what was typed, or what was thrown when the service was asked. */
  const fault = useSignal<unknown>(undefined);
  const tries = useSignal(0);
  const query = useSignal<PreviewQuery | undefined>(undefined);
  useSignalEffect(() => {
    const [where, window, code] = [place.value, dayWindow.value, country.value?.country_code];
    void tries.value;
    if (!where || !window || code === undefined) return undefined;
    const abort = new AbortController();
    const asked = { agg_type: "flow", country_code: code, ...where, ...window };
    query.value = asked;
    fetchFlow(asked, abort.signal).then(
      (answer) => {
        [found.value, fault.value] = [answer, undefined];
        // A click keeps the view, unless it shows the whole country.
        const isFar = (readyMap.peek()?.map.getZoom() ?? 0) < SEEN_FROM_ZOOM;
        if (isTyped.peek() || isFar) showBox(boxAround([answer.link.geometry]), { maxZoom: LINK_ZOOM });
      },
      (error: unknown) => {
        if (!abort.signal.aborted) [found.value, fault.value] = [undefined, error];
      },
    );
    return () => abort.abort();
  });
  const askAgain = (): void => {
    fault.value = undefined;
    tries.value++;
  };
  const choose = (chosen: Place, how: "typed" | "clicked"): void => {
    isTyped.value = how === "typed";
    place.value = chosen;
  };
  const search = (): void => {
    const named = placeOf(typed.value);
    if (named) choose(named, "typed");
    else fault.value = text("jobs.badPlace");
  };
  return (
    <div class="stack">
      <FlowLayer
        place={place.value}
        link={found.value?.link.geometry}
        onPlace={(clicked) => {
          typed.value = `${clicked.lat}, ${clicked.lon}`;
          choose(clicked, "clicked");
        }}
      />
      {country.value && <GeographiesInView country={country.value.country_code} geoType="osm_links" />}
      <p class="hint">{text("flow.click")}</p>
      <FindForm label={text("jobs.place")} placeholder="59.437, 24.7454" typed={typed} onFind={search} />
      <Fault of={fault.value} onAgain={fault.value instanceof Error ? askAgain : undefined} />
      {found.value && <Link found={found.value} />}
      {found.value && <AsCode query={query.value} />}
    </div>
  );
}

function Link({ found }: { readonly found: FlowRows }): JSX.Element {
  const [first] = found.results;
  const isCounted = found.results.some(({ time_bucket }) => time_bucket !== null);
  const times = isCounted ? hoursOf(dayWindow.value) : [];
  const of = (direction: number | null): (number | null)[] =>
    times.map((time) => found.results.find((row) => row.time_bucket === time && row.direction === direction)?.people ?? null);
  // A country of the strict profile tells all roads of a class together, without directions.
  const isByClass = country.value?.profile === "strict";
  const roads = isByClass ? text("flow.class", { type: first?.link_type ?? "" }) : visible(found.link.link_name);
  const series = isByClass
    ? [{ name: text("flow.both"), values: of(null) }]
    : [
        { name: text("flow.along"), values: of(1) },
        { name: text("flow.against"), values: of(-1) },
      ];
  return (
    <>
      <h2>
        <Plain value={found.link.link_name} />
      </h2>
      <p class="hint">
        {first && text("flow.link", { type: first.link_type, distance: formatDecimal(first.distance_m) })} · {found.link.link_id}
      </p>
      {isByClass && <p class="notice">{text("flow.class.why", { type: first?.link_type ?? "", country: country.value?.name ?? "" })}</p>}
      {times.length === 0 ? (
        <p class="notice">{text("flow.none")}</p>
      ) : (
        <>
          <Chart label={text("flow.chart", { name: roads })} times={times} series={series} />
          <details>
            <summary>{text("explore.table")}</summary>
            <div class="table-place tall">
              <table>
                <thead>
                  <tr>
                    <th scope="col">{text("explore.hour")}</th>
                    {series.map(({ name }) => (
                      <th key={name} scope="col" class="number">
                        {name}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {times.map((time, index) => (
                    <tr key={time}>
                      <th scope="row">{formatClock(time)}</th>
                      {series.map(({ name, values }) => (
                        <td key={name} class="number">
                          {shown(values[index])}
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </details>
        </>
      )}
      <SourceNote source={found} types={{ geo_type: "osm_links" }} />
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
