import { rulesOf } from "./batches.ts";
import type { Publication } from "./fact-table.ts";
import { coarserRows } from "./publish-areas-coarser.ts";
import { finestRows } from "./publish-areas-finest.ts";
import { type AreaRows, loadedRows } from "./publish-areas-loaded.ts";
import { areaValues } from "./publish-areas-values.ts";
import type { RawRows } from "./raw-rows.ts";
import type { LoadedCountry } from "./staged-load.ts";

/** A table of areas, and the batches of it to publish. */
export interface PublishedAreas extends RawRows {
  readonly countries: readonly LoadedCountry[];
  /** The table's name, the same in `intake` and `mobility`. */
  readonly table: string;
  readonly publication: Publication;
  /** Days only: a table with the rows and `told` of their hours, if these are decided already. */
  readonly decidedHours?: string | undefined;
}

/** The columns that identify a row of areas. */
const KEY = ["country_code", "batch_date", "time_bucket", "geo_type", "geo_id"] as const;

/** Returns the columns of the published rows. `publishedAreas` has these in their order, and `told`. */
export function areaColumns({ values }: Publication): string[] {
  return [...KEY, ...values.map(({ column }) => column)];
}

/**
 * Returns a query of the rows of `mobility` for batches of areas, hours or days: `areaColumns`, and `told`, the devices that a row tells of.
 * `infra/warehouse/privacy.md` states the rules. A row of a country is told if its geography nests and its type is offered, see `nestingStatements`.
 *
 * Coarser rows are left out where the batch has no row of the finest type that the country offers: they are sums of these. Days have their
 * hours as parts. They are left out where `intake` has no hours of their type: they wait for them. Rows that the provider has protected
 * have no parts: they are told from k devices, as they are.
 */
export function publishedAreas({ table, publication, countries, decidedHours, ...raw }: PublishedAreas): string {
  const { values, hours } = publication;
  const own = { table, countries, values, raw, prefix: "", hourly: hours?.daily === table ? hours.hourly : undefined };
  const hoursTold = (hourly: string): string =>
    decidedHours === undefined
      ? toldRows({ ...own, table: hourly, prefix: "hour_", hourly: undefined })
      : `hour_told AS (
  SELECT country_code, batch_date, geo_type, geo_id, told, ${values.map(({ column }) => `${column} AS out_${column}`).join(", ")}
  FROM \`${decidedHours}\`
)`;
  const ctes = own.hourly === undefined ? [] : [hoursTold(own.hourly), hourSums(values)];
  return `WITH rules AS (
  ${rulesOf(countries)}
),
${[...ctes, toldRows(own)].join(",\n")}
SELECT ${KEY.join(", ")}, ${values.map(({ column }) => `out_${column} AS ${column}`).join(", ")}, told.told
FROM told`;
}

/** Returns the CTEs that decide the rows of a table, up to `told`. */
function toldRows({ values, ...source }: Omit<AreaRows, "values"> & Pick<Publication, "values">): string {
  const rows: AreaRows = { ...source, values: areaValues(values, source.hourly !== undefined) };
  return [loadedRows(rows), finestRows(rows), coarserRows(rows)].join(",\n");
}

/** Returns the CTE of what is told of the hours of days. */
function hourSums(values: Publication["values"]): string {
  const added = areaValues(values, true).flatMap(({ hours }) => Object.entries(hours).map(([name, of]) => `${of} AS ${name}`));
  return `hour_sums AS (
  SELECT
    ${["country_code, batch_date, geo_type, geo_id", "COUNT(*) AS hours", "SUM(told) AS told", "MAX(told) AS largest", ...added].join(", ")}
  FROM hour_told
  GROUP BY country_code, batch_date, geo_type, geo_id
)`;
}
