import * as v from "valibot";
import type { CountryTable } from "../../shared/countries/country-rules.ts";
import type { DuckDbSession } from "./duckdb-session.ts";
import { strayCells } from "./place-faults.ts";
import type { Prepared } from "./prepare.ts";

const Strays = v.array(v.object({ country: v.string(), cells: v.pipe(v.string(), v.transform(Number)), example: v.string() }));

/** Returns a line for each country of a feed with cells outside of it: they are loaded, and no headcount has them. */
export async function strayWarnings({ parquet }: Prepared, countries: CountryTable, duckdb: DuckDbSession): Promise<string[]> {
  const sql = strayCells(parquet, countries);
  if (sql === undefined) return [];
  return v
    .parse(Strays, await duckdb.rows(sql))
    .map(
      ({ country, cells, example }) =>
        `${cells.toLocaleString("en")} ${cells === 1 ? "cell_id is no cell" : "cell_ids are no cells"} of ${country}, such as ${example}: outside of the extents of the country's rules no headcount has them`,
    );
}
