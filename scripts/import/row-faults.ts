import { quotedString } from "@duckdb/node-api";
import type { CountryTable } from "../../shared/countries/country-rules.ts";
import { isFact, isFeed, type LoadedTable } from "../../shared/products/loaded-tables.ts";
import { faultColumns } from "./faults.ts";
import { futureDays } from "./future-days.ts";
import { placeFaults } from "./place-faults.ts";
import { scalingFaults } from "./scaling.ts";
import { tickFaults } from "./tick-faults.ts";

/** Returns a DuckDB expression for the time zone of the row's country. */
function zoneOf(countries: CountryTable): string {
  const zones = Object.entries(countries).map(([code, { timeZone }]) => `WHEN '${code}' THEN ${quotedString(timeZone)}`);
  return `CASE country_code ${zones.join(" ")} END`;
}

/** Returns a DuckDB expression for the civil day of the row's bucket in its country. */
export function dayOfBucket(countries: CountryTable): string {
  return `CAST(timezone(${zoneOf(countries)}, time_bucket) AS DATE)`;
}

const HOUR_US = 3_600_000_000;

/** The columns that conditions on buckets read. */
const BUCKET = "country_code, batch_date, time_bucket";

interface FaultContext {
  readonly countries: CountryTable;
  readonly now: Date;
  /** The names of the loaded columns, without one that is derived from them. */
  readonly columns: readonly string[];
  /** Whether each time in them is known to be the start of an hour. Left out: no. */
  readonly areHours?: boolean;
  /** Returns a column's name for messages. */
  readonly label: (column: string) => string;
}

/** Queries of what is wrong between the values of a row, between rows, or with the time, over the table `rows`, each value of which is right in itself. */
export function rowFaults(table: LoadedTable, context: FaultContext): string[] {
  const { countries, now, columns, label } = context;
  return [
    ...(table.bucket === undefined ? [] : bucketFaults(table.bucket, context)),
    ...(isFact(table) ? [futureDays(countries, now, label(columns.includes("batch_date") ? "batch_date" : "time_bucket"))] : []),
    ...(isFeed(table) ? [tickFaults(now, label("tick"))] : []),
    ...scalingFaults(table, columns, countries, label),
    ...(isFact(table) ? [] : placeFaults(table, { countries, columns, label })),
    sameKey(table),
  ];
}

function bucketFaults(bucket: "hour" | "day", { countries, columns, areHours, label }: FaultContext): string[] {
  const zone = zoneOf(countries);
  const time = (instant: string): string => `strftime(${instant}, '%Y-%m-%dT%H:%M:%SZ')`;
  const begins = `timezone(${zone}, CAST(batch_date AS TIMESTAMP))`;
  const otherDay = `SELECT ${faultColumns({
    row: '"#"',
    column: quotedString(label("batch_date")),
    value: "CAST(batch_date AS VARCHAR)",
    says: `concat('is not the day of ', ${time("time_bucket")}, ' in ', ${zone}, ', which is ', ${dayOfBucket(countries)})`,
  })} ${fromBuckets(BUCKET, `batch_date <> ${dayOfBucket(countries)}`)}`;
  const misplaced =
    bucket === "hour"
      ? { of: "time_bucket", where: "time_bucket <> date_trunc('hour', time_bucket)", says: "'is not the start of an hour'" }
      : {
          of: BUCKET,
          where: `batch_date = ${dayOfBucket(countries)} AND time_bucket <> ${begins}`,
          says: `concat('is not when ', batch_date, ' begins in ', ${zone}, ', which is ', ${time(begins)})`,
        };
  const column = quotedString(label("time_bucket"));
  const otherTime = `SELECT ${faultColumns({ row: '"#"', column, value: time("time_bucket"), says: misplaced.says })} ${fromBuckets(misplaced.of, misplaced.where)}`;
  return [
    // A day that is none of the loaded columns is derived: it is the hour's.
    ...(columns.includes("batch_date") ? [otherDay] : []),
    ...(bucket === "hour" && areHours ? [] : [otherTime]),
  ];
}

/**
 * Returns the FROM clause of the rows of buckets for which a condition holds. Computing with time zones is slow, and there are few buckets.
 * @param bucket the columns that the condition reads
 */
function fromBuckets(bucket: string, condition: string): string {
  // DuckDB moves the condition to the rows unless there is a limit between them.
  const buckets = `SELECT DISTINCT ${bucket} FROM rows LIMIT ${Number.MAX_SAFE_INTEGER}`;
  return `FROM rows SEMI JOIN (SELECT * FROM (${buckets}) AS rows WHERE ${condition}) USING (${bucket})`;
}

/** What one number with a bit for each bucket (and direction) can hold: 2 to the power of this. */
const MASK_BITS_LOG2 = 6;

function sameKey(table: LoadedTable): string {
  const columns = table.key.join(", ");
  const { groups, having } = suspicion(table);
  // Grouping by the hash takes less memory than by its columns.
  const suspects = `SELECT hash(${groups}) AS hashed FROM rows GROUP BY hashed HAVING ${having}`;
  return `WITH twins AS (
      SELECT ${columns}, min("#") AS first FROM rows WHERE hash(${groups}) IN (${suspects}) GROUP BY ${columns} HAVING count(*) > 1
    )
    SELECT ${faultColumns({ row: '"#"', says: `concat('the same ${columns} (', concat_ws(', ', ${columns}), ')')`, twin: "first" })}
    FROM rows JOIN twins USING (${columns}) WHERE "#" > first`;
}

/**
 * Returns by which expressions to group rows, and which groups may hold rows with the same key: all that do, and few others.
 *
 * The hours of a key's other columns are in few groups, each of as many hours as there are bits in a number: with more rows than different bits, two
 * rows have the same one. That is several times as fast as a group for each hour. Hours need not be whole here: those between have the bit of the
 * hour they are in.
 */
function suspicion({ key, bucket }: LoadedTable): { readonly groups: string; readonly having: string } {
  if (bucket !== "hour") return { groups: key.join(", "), having: "count(*) > 1" };
  const isDirected = key.includes("direction");
  const hoursLog2 = isDirected ? MASK_BITS_LOG2 - 1 : MASK_BITS_LOG2;
  // Not before 1970, as each value is right in itself, so none is negative. Dividing is slow: the rest is shifts.
  const hour = `(epoch_us(time_bucket) // ${HOUR_US})`;
  const others = key.filter((column) => column !== "time_bucket" && column !== "direction");
  const ofHour = `(${hour} & ${(1 << hoursLog2) - 1})`;
  const bit = isDirected ? `((${ofHour} << 1) | CAST(direction > 0 AS BIGINT))` : ofHour;
  return {
    groups: [...others, `${hour} >> ${hoursLog2}`].join(", "),
    having: `count(*) > bit_count(bit_or(CAST(1 AS UBIGINT) << CAST(${bit} AS UBIGINT)))`,
  };
}
