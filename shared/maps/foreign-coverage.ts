import * as v from "valibot";
import type { CountryTable } from "../countries/country-rules.ts";
import { coverCountriesInSlices } from "../countries/coverage-by-country.ts";
import type { Polygon } from "../geometry/polygon.ts";
import type { Warehouse } from "../google/bigquery.ts";
import { type Statement, statement } from "../google/statement.ts";
import type { Caller } from "../http/caller.ts";
import { ServiceError } from "../http/errors.ts";
import { inSlices } from "../runtime/in-slices.ts";
import { storedPolygon } from "./check-geometry.ts";
import { cannotBeMonitored } from "./monitored-cells.ts";

/** How many cells one query looks up. */
const CELLS_PER_QUERY = 20_000;

const Cells = v.pipe(
  v.object({ cells: v.number() }),
  v.transform(({ cells }) => cells),
);

/** Returns a query of how many of these 250 m cells a country's network counts people in: two rows, to be added up. */
export function networkCellsStatement(country: string, cells: readonly number[]): Statement<number> {
  return statement(
    Cells,
    `SELECT COUNT(*) AS cells
FROM UNNEST(@cells) AS touched
JOIN \`mobility.coverage\` AS network
  ON network.country_code = @country_code AND network.northing = MOD(touched, 10000000)
    AND touched BETWEEN network.first_cell_id AND network.last_cell_id
UNION ALL
SELECT COUNT(*) AS cells
FROM UNNEST(@cells) AS touched
JOIN \`mobility.geography_cells\` AS network
  ON network.country_code = @country_code AND network.geo_type = 'grid_250m' AND network.cell_id = touched`,
    { cells: { type: "ARRAY<INT64>", value: cells }, country_code: { type: "STRING", value: country } },
  );
}

/** The dependencies of checking a polygon against countries that the key does not cover. */
export interface ForeignCoverageContext {
  readonly warehouse: Pick<Warehouse, "query">;
  /** Returns the customer's countries: only in these a map is measured. */
  readonly countriesOf: (uid: string) => Promise<readonly string[]>;
  readonly countries: CountryTable;
}

/**
 * Throws `permission_denied` for a valid polygon that would be measured in a country that the key does not cover: one of the customer's
 * countries whose network counts people in a cell that the polygon touches. Extents overlap at borders, so the cells of the network decide
 * (`mobility.coverage`); nothing is asked unless the polygon reaches the extent of such a country.
 */
export async function checkForeignCoverage(
  polygon: Polygon,
  caller: Caller,
  { warehouse, countriesOf, countries }: ForeignCoverageContext,
): Promise<void> {
  const foreign = Object.fromEntries(Object.entries(countries).filter(([code]) => !caller.countries.includes(code)));
  const reached = await inSlices(coverCountriesInSlices(polygon, foreign));
  if (reached.length === 0) return;
  const measured = await countriesOf(caller.uid);
  for (const { country, cells } of reached.filter((one) => measured.includes(one.country))) {
    const ids = cells.map(({ cellId }) => cellId);
    // Nobody can monitor so many cells: the border is refused before it costs ten queries.
    if (!cannotBeMonitored(ids.length) && !(await hasNetwork(country, ids, warehouse, caller.uid))) continue;
    const covers = caller.countries.join(", ") || "no country";
    throw new ServiceError(
      "permission_denied",
      `The polygon reaches into ${country}, which this key does not cover; it covers ${covers}. Cut it at the border, or use a key that covers both`,
    );
  }
}

/**
 * Returns in which of a customer's countries a stored polygon is measured: those whose network counts people in a cell that it touches. It reaches the
 * extents of several: otherwise there is nothing to ask.
 */
export async function countriesMeasured(
  geometry: string,
  table: CountryTable,
  warehouse: Pick<Warehouse, "query">,
  uid: string,
): Promise<readonly string[]> {
  const measured: string[] = [];
  for (const { country, cells } of await inSlices(coverCountriesInSlices(await storedPolygon(geometry), table))) {
    const ids = cells.map(({ cellId }) => cellId);
    if (await hasNetwork(country, ids, warehouse, uid)) measured.push(country);
  }
  return measured;
}

async function hasNetwork(country: string, ids: readonly number[], warehouse: Pick<Warehouse, "query">, uid: string): Promise<boolean> {
  for (let start = 0; start < ids.length; start += CELLS_PER_QUERY) {
    const counts = await warehouse.query(networkCellsStatement(country, ids.slice(start, start + CELLS_PER_QUERY)), {
      customer: uid,
      purpose: "map-cells",
    });
    if (counts.some((count) => count > 0)) return true;
  }
  return false;
}
