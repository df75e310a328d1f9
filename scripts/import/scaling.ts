import { quotedString } from "@duckdb/node-api";
import type { CountryTable } from "../../shared/countries/country-rules.ts";
import { isFeed, type LoadedTable } from "../../shared/products/loaded-tables.ts";
import { faultColumns } from "./faults.ts";

/**
 * Queries of rows with more people than their devices stand for by the country's `people_per_device`. The step of published counts follows from
 * that number: with more people a device, a step would no longer hold k devices. The provider may round people up. Countries whose counts are
 * protected by the provider have no scaling. Trips and other sums are not counts of people, so they have no maximum.
 * @param columns the names of the loaded columns
 * @param label returns a column's name for messages
 */
export function scalingFaults(
  table: LoadedTable,
  columns: readonly string[],
  countries: CountryTable,
  label: (column: string) => string,
): string[] {
  const scales = Object.entries(countries).flatMap(([code, { peopleOfDevice, isProtected }]) =>
    isProtected || peopleOfDevice === undefined ? [] : [{ code: quotedString(code), scale: String(peopleOfDevice) }],
  );
  if (scales.length === 0 || !columns.includes("devices")) return [];
  const ofCountry = (of: (scale: string) => string) =>
    `CASE country_code ${scales.map(({ code, scale }) => `WHEN ${code} THEN ${of(scale)}`).join(" ")} END`;
  // A literal with a decimal point is an exact DECIMAL.
  const most = ofCountry((scale) => `CAST(ceil(devices * ${scale}) AS BIGINT)`);
  // Exact decimals take twenty times as long as floating point, which is exact enough for people well below the maximum.
  const isBelow = (name: string, scale: string): string => `devices < 1000000000 AND ${name} <= devices * ${scale}`;
  const double = (scale: string): string => `CAST(${scale} AS DOUBLE)`;
  // What the country of least scale allows, all do: most rows need not be asked for their country.
  const least = double(String(Math.min(...scales.map(({ scale }) => Number(scale)))));
  const advice = `concat(', in ', country_code, ' (people_per_device ', ${ofCountry(quotedString)}, '): correct the scaling, or the country''s rules')`;
  return peopleColumns(table).map((name) => {
    const says = `concat('is more people than ', devices, if(devices = 1, ' device stands', ' devices stand'), ' for, at most ', ${most}, ${advice})`;
    const columnsOfFault = faultColumns({ row: '"#"', column: quotedString(label(name)), value: `CAST(${name} AS VARCHAR)`, says });
    return `SELECT ${columnsOfFault} FROM rows WHERE CASE WHEN ${isBelow(name, least)} THEN false
      WHEN ${isBelow(name, ofCountry(double))} THEN false ELSE ${name} > ${most} END`;
  });
}

/** The columns of a table that count unique people. */
function peopleColumns(table: LoadedTable): string[] {
  if (isFeed(table)) return ["people"];
  return (table.publication?.values ?? []).flatMap(({ column, rule }) => (rule === "people" ? [column] : []));
}
