import { quotedString } from "@duckdb/node-api";
import type { CountryTable } from "../../shared/countries/country-rules.ts";
import { faultColumns } from "./faults.ts";

/** Returns a DuckDB expression for the threshold of the row's country. */
function thresholdOf(countries: CountryTable): string {
  const thresholds = Object.entries(countries).map(([code, { k }]) => `WHEN ${quotedString(code)} THEN ${k}`);
  return `CASE country_code ${thresholds.join(" ")} END`;
}

/**
 * Queries of rows that will be published although a second count of devices in them, such as `stays_devices`, is of fewer than k. A row's
 * `devices` decide whether it is published, so values of such a group would be told: the provider writes 0 for them (rule R2 of
 * `infra/warehouse/privacy.md`). Rows below k are withheld as a whole and may hold any count.
 * @param columns the names of the loaded columns
 * @param label returns a column's name for messages
 */
export function fewDevicesFaults(columns: readonly string[], countries: CountryTable, label: (column: string) => string): string[] {
  if (!columns.includes("devices")) return [];
  const k = thresholdOf(countries);
  return columns
    .filter((name) => name.endsWith("_devices"))
    .map((name) => {
      const values = `the ${name.replace(/_devices$/, "")} of the row as 0`;
      const says = `concat('is fewer than k (', ${k}, ' in ', country_code, '), in a row that is published: write ${values}')`;
      const columnsOfFault = faultColumns({ row: '"#"', column: quotedString(label(name)), value: `CAST(${name} AS VARCHAR)`, says });
      return `SELECT ${columnsOfFault} FROM rows WHERE devices >= ${k} AND ${name} > 0 AND ${name} < ${k}`;
    });
}
