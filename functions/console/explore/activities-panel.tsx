import { useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Fault } from "../controls/fault.tsx";
import { Plain } from "../controls/plain.tsx";
import { visible } from "../controls/visible.ts";
import { WordOptions } from "../controls/word-options.tsx";
import { formatCount } from "../format/format.ts";
import { readyMap, showBox } from "../map-view/map-state.ts";
import { country } from "../session/session.ts";
import { text } from "../texts.ts";
import { ActivitiesLayer } from "./activities-layer.tsx";
import {
  activitiesFault,
  activitiesQuery,
  areas,
  askAgain,
  geoType,
  hour,
  hourValues,
  isLoading,
  isPlaying,
  isTooFar,
  measure,
  offer,
  selected,
  seriesOf,
  shownColumns,
  shownType,
  toggleSelected,
} from "./activities-state.ts";
import { AsCode } from "./as-code.tsx";
import { Chart } from "./chart.tsx";
import { FindArea } from "./find-area.tsx";
import { HourSlider } from "./hour-slider.tsx";
import { Legend } from "./legend.tsx";
import { SourceNote } from "./source-note.tsx";

const RANKED_MAX = 12;
const FRAME_MS = 900;
/** From which zoom on a municipality fills the view. */
const ZOOM_MAX = 9;

/** People in areas: the choropleth's settings, its legend, the hours of chosen areas, and a list that says the same. */
export function ActivitiesPanel(): JSX.Element {
  useSignalEffect(() => {
    if (!isPlaying.value) return undefined;
    const count = shownColumns.value?.time_buckets.length ?? 0;
    const timer = setInterval(() => {
      if (count > 0 && !document.hidden) hour.value = (hour.peek() + 1) % count;
    }, FRAME_MS);
    return () => clearInterval(timer);
  });
  // Nobody sees it any more.
  useEffect(
    () => () => {
      isPlaying.value = false;
    },
    [],
  );
  // Coming from a small area: municipalities are seen from further away.
  useEffect(() => {
    const extent = country.peek()?.extent;
    if (extent && shownType.peek() === "admin_level_2" && (readyMap.peek()?.map.getZoom() ?? 0) > ZOOM_MAX)
      showBox(extent, { animate: false });
  }, []);
  const found = shownColumns.value;
  return (
    <>
      <ActivitiesLayer />
      <div class="pair">
        <Choice
          id="explore-type"
          label={text("explore.areas")}
          values={offer.value?.hourly_geo_types ?? []}
          prefix="type"
          chosen={shownType.value}
          onChoose={(type) => {
            geoType.value = type;
            // Areas of one type have other ids than those of another.
            selected.value = [];
          }}
        />
        <Choice
          id="explore-measure"
          label={text("explore.measure")}
          values={offer.value?.measures ?? []}
          prefix="measure"
          chosen={measure.value}
          onChoose={(name) => {
            measure.value = name;
          }}
        />
      </div>
      {isTooFar.value && <p class="notice">{text("explore.tooFar")}</p>}
      <Fault of={activitiesFault.value} onAgain={askAgain} />
      {!found && !isTooFar.value && activitiesFault.value === undefined && <p class="muted">{text("loading")}</p>}
      {found && (
        <div class={isLoading.value ? "stack loading" : "stack"}>
          <HourSlider times={found.time_buckets} />
          <Legend />
          {selected.value.length > 0 ? (
            <Chart
              label={text("explore.chart", { areas: selected.value.map(nameOf).join(", ") })}
              times={found.time_buckets}
              series={selected.value.map((id) => ({ name: nameOf(id), values: seriesOf(id) }))}
              marked={hour.value}
            />
          ) : (
            <p class="hint">{text("explore.click")}</p>
          )}
          <FindArea />
          <Ranking />
          <SourceNote source={found} types={{ geo_type: shownType.value ?? "" }} />
          <AsCode query={activitiesQuery.value} />
        </div>
      )}
    </>
  );
}

function nameOf(id: number): string {
  return visible(areas.value.get(id)?.name ?? String(id));
}

/** The areas with most people in the hour: what the map shows, for those who do not see it. */
function Ranking(): JSX.Element {
  const ranked = [...hourValues.value]
    .flatMap(([id, value]) => (value === null ? [] : { id, value }))
    .sort((a, b) => b.value - a.value)
    .slice(0, RANKED_MAX);
  const most = ranked[0]?.value ?? 1;
  return (
    <section aria-label={text("explore.most")}>
      <h2>{text("explore.most")}</h2>
      {ranked.length === 0 && <p class="hint">{text("explore.nothing")}</p>}
      <ol class="ranking">
        {ranked.map(({ id, value }) => (
          <li key={id}>
            <button type="button" aria-pressed={selected.value.includes(id)} onClick={() => toggleSelected(id)}>
              <span class="bar-place">
                <span class="bar-fill" style={{ width: `${(value / most) * 100}%` }} />
                <Plain value={areas.value.get(id)?.name ?? String(id)} />
              </span>
              <span class="number">{formatCount(value)}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

interface ChoiceProps {
  readonly id: string;
  readonly label: string;
  readonly values: readonly string[];
  readonly prefix: string;
  readonly chosen: string | undefined;
  readonly onChoose: (value: string) => void;
}

function Choice({ id, label, values, prefix, chosen, onChoose }: ChoiceProps): JSX.Element {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={chosen} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <WordOptions values={values} prefix={prefix} />
      </select>
    </div>
  );
}
