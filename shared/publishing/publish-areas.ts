import { rulesOf } from "./batches.ts";
import type { Publication } from "./fact-table.ts";
import { coarserRows } from "./publish-areas-coarser.ts";
import { finestRows, loadedRows } from "./publish-areas-finest.ts";
import { areaValues } from "./publish-areas-values.ts";
import type { LoadedCountry } from "./staged-load.ts";

/** Batches of `intake` to publish. */
export interface PublishedBatches {
  readonly countries: readonly LoadedCountry[];
  /** Returns a condition for the rows of a table of `intake`, under an alias, that are of the batches. It filters `loaded_on`. */
  readonly batches: (alias: string) => string;
}

/** A table of areas, and the batches of it to publish. */
export interface PublishedAreas extends PublishedBatches {
  /** The table's name, the same in `intake` and `mobility`. */
  readonly table: string;
  readonly publication: Publication;
}

/** The columns that identify a row of areas. */
const KEY = ["country_code", "batch_date", "time_bucket", "geo_type", "geo_id"] as const;

/** Returns the columns of `publishedAreas`, in their order. */
export function areaColumns({ values }: Publication): string[] {
  return [...KEY, ...values.map(({ column }) => column)];
}

/**
 * Returns a query of the rows of `mobility` for batches of areas, hours or days: `areaColumns`. `infra/warehouse/privacy.md` states the
 * rules. A row of a country is told if its geography nests and its type is offered, see `nestingStatements`.
 *
 * Coarser rows are left out where the batch has no row of the finest type that the country offers: they are sums of these. Days have their
 * hours as parts. They are left out where `intake` has no hours of their type: they wait for them. Rows that the provider has protected
 * have no parts: they are told from k devices, as they are.
 */
export function publishedAreas({ table, publication, countries, batches }: PublishedAreas): string {
  const { hours } = publication;
  const own = toldRows("", table, publication, batches, hours?.daily === table);
  const names = publication.values.map(({ column }) => column);
  const ctes =
    hours?.daily === table ? [toldRows("hour_", hours.hourly, publication, batches, false), hoursOfDays(publication), own] : [own];
  return `WITH rules AS (
  ${rulesOf(countries)}
),
${ctes.join(",\n")}
SELECT ${KEY.join(", ")}, ${names.map((name) => `out_${name} AS ${name}`).join(", ")}
FROM told
UNION ALL
SELECT ${KEY.join(", ")}, ${names.map((name) => `raw_${name}`).join(", ")}
FROM loaded
WHERE is_protected AND n >= k`;
}

/** Returns the CTEs of the rows of a table that are told. The names of all of them have the prefix. */
function toldRows(prefix: string, table: string, { values }: Publication, batches: PublishedBatches["batches"], isDay: boolean): string {
  const area = areaValues(values, isDay);
  return [loadedRows(prefix, table, area, batches, isDay), finestRows(prefix, area, isDay), coarserRows(prefix, area, isDay)].join(",\n");
}

/** Returns the CTEs of what days need of their hours: how many there are, and what is told of them. */
function hoursOfDays({ values }: Publication): string {
  const added = areaValues(values, true).flatMap(({ column, isPeople, isOfHours }) =>
    isPeople || isOfHours ? [`${isPeople ? "MAX" : "SUM"}(out_${column}) AS hours_${column}`] : [],
  );
  return `hour_counts AS (
  SELECT country_code, batch_date, geo_type, COUNT(DISTINCT time_bucket) AS hours
  FROM hour_loaded
  GROUP BY country_code, batch_date, geo_type
),
hour_sums AS (
  SELECT ${["country_code, batch_date, geo_type, geo_id", "COUNT(*) AS hours", "SUM(told) AS told", "MAX(told) AS largest", ...added].join(", ")}
  FROM hour_told
  GROUP BY country_code, batch_date, geo_type, geo_id
)`;
}
