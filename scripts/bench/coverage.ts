import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { intersection } from "polyclip-ts";
import countryRules from "../../infra/countries.json" with { type: "json" };
import { coverPolygon } from "../../shared/geometry/coverage.ts";
import { projectRing } from "../../shared/geometry/densify.ts";
import { CELL_METRES, cellCorner, type Grid } from "../../shared/geometry/grid.ts";
import type { Point, Polygon } from "../../shared/geometry/polygon.ts";
import { parsePolygon } from "../../shared/geometry/wkt.ts";
import { checkGeometry } from "../../shared/maps/check-geometry.ts";
import { checkPlace } from "../../shared/maps/check-place.ts";
import { countCells } from "../../shared/maps/monitored-cells.ts";
import { parseCountryTable } from "../../shared/products/countries.ts";
import { messageOf } from "../../shared/runtime/error-message.ts";
import { HOSTILE_SHAPES } from "./hostile-shapes.ts";
import { quantile, report, timed } from "./measure.ts";

const GRID: Grid = { crs: "EPSG:25833", eastingOffset: 2_000_000, extent: [4, 57.8, 31.4, 71.4] };
const OSLO: Point = [10.75, 59.91];
const RUNS = 25;
const BUDGET_MS = 2;
const TIMES_FASTER_MIN = 50;
const DIFFERENCE_MAX = 1e-9;
/** The most milliseconds that a request may hold the event loop. */
const HELD_MS_MAX = 50;
const HELD_RUNS = 5;

/** Measures the coverage of polygons against clipping each cell with polyclip-ts, then its growth with cells and with vertices. */
export async function benchCoverage(): Promise<void> {
  for (const holed of [false, true]) await againstClipping(star(60, 0.053, holed), holed);
  for (const radius of [0.02, 0.05, 0.1, 0.2, 0.4]) await alone("cells", star(100, radius, false));
  for (const vertices of [10, 100, 1_000, 10_000]) await alone("vertices", star(vertices, 0.053, false));
  for (const [what, text] of Object.entries(HOSTILE_SHAPES)) await held(what, text);
}

/** Measures how long a request to monitor a polygon holds the event loop at most, the first time and then. */
async function held(what: string, text: string): Promise<void> {
  const table = parseCountryTable("countries.json", countryRules);
  const outcome = async (): Promise<string> => {
    try {
      checkPlace(await checkGeometry(text), { countries: Object.keys(table) }, table, "/geometry");
      return `${(await countCells({ geometry: text, ids: null, countryCode: null }, table)).cells} cells`;
    } catch (error) {
      return messageOf(error).slice(0, 60);
    }
  };
  const delays: number[] = [];
  let ended = "";
  const times: number[] = [];
  for (let run = 0; run < HELD_RUNS; run++) {
    const histogram = monitorEventLoopDelay({ resolution: 1 });
    histogram.enable();
    await setImmediate();
    times.push(
      await timed(async () => {
        ended = await outcome();
      }),
    );
    await setImmediate();
    histogram.disable();
    delays.push(histogram.max / 1e6);
  }
  report({
    bench: "coverage",
    what: `the event loop, ${what}`,
    outcome: ended,
    characters: text.length,
    took_p50_ms: quantile(times, 0.5),
    held_first_ms: delays[0],
    held_p50_ms: quantile(delays, 0.5),
    held_max_ms: Math.max(...delays),
    budget_ms: HELD_MS_MAX,
    ratio: Math.max(...delays) / HELD_MS_MAX,
    met: Math.max(...delays) <= HELD_MS_MAX,
  });
}

async function againstClipping(polygon: Polygon, holed: boolean): Promise<void> {
  const { cells } = coverPolygon(polygon, GRID);
  const [ours, ourTimes] = await repeated(() => coverPolygon(polygon, GRID));
  let difference = 0;
  const clipping = await timed(async () => {
    const rings = polygon.rings.map((ring) =>
      projectRing(ring, GRID.crs).map(({ easting, northing }): [number, number] => [easting, northing]),
    );
    for (const { cellId, weight } of cells) difference = Math.max(difference, Math.abs(weight - clippedWeight(rings, cellId)));
  });
  report({
    bench: "coverage",
    what: `against polyclip-ts${holed ? ", with a hole" : ""}`,
    cells: cells.length,
    vertices: verticesOf(polygon),
    coverage_p50_ms: ours,
    coverage_p95_ms: quantile(ourTimes, 0.95),
    ms_for_1000_cells: (1000 * ours) / cells.length,
    budget_ms: BUDGET_MS,
    clipping_ms: clipping,
    times_faster: clipping / ours,
    budget_times_faster: TIMES_FASTER_MIN,
    weights_differ_by: difference.toExponential(1),
    budget_difference: DIFFERENCE_MAX.toExponential(0),
    ratio: (ours / clipping).toExponential(1),
    met: (1000 * ours) / cells.length <= BUDGET_MS && clipping / ours >= TIMES_FASTER_MIN && difference <= DIFFERENCE_MAX,
  });
}

/** Measures growth: the time of coverage against parsing the same polygon's text. */
async function alone(grows: string, polygon: Polygon): Promise<void> {
  const text = `POLYGON(${polygon.rings.map((ring) => `(${ring.map((point) => point.map((degrees) => degrees.toFixed(8)).join(" ")).join(", ")})`).join(", ")})`;
  const { length } = coverPolygon(polygon, GRID).cells;
  const [ours] = await repeated(() => coverPolygon(polygon, GRID));
  const [reading] = await repeated(() => {
    const parsed = parsePolygon(text);
    if (!parsed.ok) throw new Error(parsed.detail);
  });
  const vertices = verticesOf(polygon);
  report({
    bench: "coverage",
    what: `growth with ${grows}`,
    cells: length,
    vertices,
    coverage_p50_ms: ours,
    microseconds_a_cell_and_vertex: (1000 * ours) / (length + vertices),
    parse_p50_ms: reading,
    ratio: ours / reading,
  });
}

/** Returns the median and all times of several runs, after warm-up runs. */
async function repeated(work: () => unknown): Promise<[median: number, times: number[]]> {
  const times: number[] = [];
  for (let run = -RUNS; run < RUNS; run++) {
    const time = await timed(async () => work());
    if (run >= 0) times.push(time);
  }
  return [quantile(times, 0.5), times];
}

/** Returns a jagged star around Oslo, the same in every run. Its height is twice the radius in degrees. */
function star(vertices: number, radius: number, holed: boolean): Polygon {
  const ring = (share: number): Point[] => {
    const points = Array.from({ length: vertices }, (_, index): Point => {
      const angle = (2 * Math.PI * index) / vertices;
      const reach = radius * share * (0.85 + 0.15 * Math.sin(7 * angle) + (index % 2 ? 0.02 : 0));
      return [OSLO[0] + 2 * reach * Math.cos(angle), OSLO[1] + reach * Math.sin(angle)];
    });
    return [...points, ...points.slice(0, 1)];
  };
  return { rings: holed ? [ring(1), ring(0.4)] : [ring(1)] };
}

function verticesOf({ rings }: Polygon): number {
  return rings.reduce((sum, ring) => sum + ring.length - 1, 0);
}

function clippedWeight(rings: [number, number][][], cellId: number): number {
  const { easting: west, northing: south } = cellCorner(GRID, cellId);
  const [east, north] = [west + CELL_METRES, south + CELL_METRES];
  const parts = intersection(rings, [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ]);
  // Shells run counter-clockwise and holes clockwise.
  const area = parts.flat().reduce((sum, ring) => sum + signedArea(ring, west, south), 0);
  return area / CELL_METRES ** 2;
}

function signedArea(ring: readonly (readonly [number, number])[], west: number, south: number): number {
  let twice = 0;
  let before = ring.at(-1);
  for (const point of ring) {
    if (before) twice += (before[0] - west) * (point[1] - south) - (point[0] - west) * (before[1] - south);
    before = point;
  }
  return twice / 2;
}
