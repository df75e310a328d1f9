import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
// First, for uPlot.
import "./browser-language.ts";

import uPlot from "uplot";
import { formatClock, formatShort } from "../format/format.ts";
import { palette } from "../map-view/palette.ts";

interface ChartProps {
  /** What the chart shows, for readers of the screen; the numbers are in a table. */
  readonly label: string;
  /** The starts of the hours. */
  readonly times: readonly string[];
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
  /** The hour that is marked. */
  readonly marked?: number;
}

const HEIGHT = 190;

/** A chart of the hours of a day, in the time zone of the country. */
export function Chart({ label, times, series, marked }: ChartProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const colours = palette.value;
  const content = JSON.stringify([times, series]);
  useEffect(() => {
    const container = place.current;
    if (!container) return undefined;
    const plot = draw(container, times, series, [colours.accent, colours.warning], [colours.label, colours.boundary]);
    const observer = new ResizeObserver(() => plot.setSize({ width: container.clientWidth, height: HEIGHT }));
    observer.observe(container);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [content, colours]);
  return (
    <figure class="chart" aria-label={label}>
      <div ref={place} />
      <figcaption class="visually-hidden">{label}</figcaption>
      {marked !== undefined && <span class="visually-hidden">{formatClock(times[marked] ?? 0)}</span>}
      <ul class="series">
        {series.map(({ name }, index) => (
          <li key={name} class={`series-${index}`}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </figure>
  );
}

function draw(
  container: HTMLElement,
  times: readonly string[],
  series: ChartProps["series"],
  strokes: readonly string[],
  [ink = "", grid = ""]: readonly string[],
): uPlot {
  const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { show: false }, font: "12px sans-serif" };
  const options: uPlot.Options = {
    width: container.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false },
    scales: { x: { time: false }, y: { range: (_plot, _least, most) => [0, Math.max(most, 1) * 1.08] } },
    axes: [
      {
        ...axis,
        values: (_plot, splits) => splits.map((split) => (times[split] === undefined ? "" : formatClock(times[split] ?? 0))),
        space: 60,
        size: 30,
      },
      { ...axis, values: (_plot, splits) => splits.map(formatShort), size: 48 },
    ],
    series: [
      {},
      ...series.map(({ name }, index) => ({
        label: name,
        stroke: strokes[index] ?? ink,
        width: 2.2,
        ...(index === 0 ? { fill: `${strokes[index] ?? ink}22` } : {}),
        points: { show: true, size: 5 },
      })),
    ],
  };
  const data: uPlot.AlignedData = [times.map((_, index) => index), ...series.map(({ values }) => [...values])];
  return new uPlot(options, data, container);
}
