import { expect, onTestFinished, test } from "vitest";
import { parseCountryTable } from "../../shared/products/countries.ts";
import { civilDayOf, FUTURE_HOURS, PAST_HOURS } from "./civil-days.ts";
import { openDuckDb } from "./duckdb-session.ts";
import { dayOfHour, HOURS, makeHours } from "./known-times.ts";
import { dayOfBucket } from "./row-faults.ts";

const ZONES = ["Europe/Tallinn", "UTC", "America/St_Johns", "Asia/Tehran", "Australia/Lord_Howe", "Pacific/Kiritimati"];
const COUNTRIES = parseCountryTable(
  "testing",
  Object.fromEntries(ZONES.map((zone, at) => [`CC${"ABCDEF"[at]}`, { name: zone, time_zone: zone, protected: true }])),
);
const NOW = new Date("2026-03-28T12:02:00Z");

test("a derived day is that of the bucket in the row's country, for hours of all years", async () => {
  const duckdb = await openDuckDb();
  onTestFinished(duckdb.close);
  const codes = Object.keys(COUNTRIES).map((code) => `'${code}'`);
  await duckdb.run(`CREATE TABLE rows AS SELECT * FROM (SELECT unnest([${codes.join(", ")}]) AS country_code),
    (SELECT to_timestamp(${Math.floor(NOW.getTime() / 3_600_000)} * 3600 + hour * 1800) AS time_bucket
      FROM range(${-2 * (PAST_HOURS + 9000)}, ${2 * (FUTURE_HOURS + 9000)}) AS halves(hour))`);
  const day = dayOfBucket(COUNTRIES);
  const derived = await civilDayOf(duckdb, COUNTRIES, NOW);
  expect(await duckdb.rows(`SELECT * FROM rows WHERE ${derived} IS DISTINCT FROM ${day} LIMIT 3`)).toEqual([]);
  await makeHours(duckdb, COUNTRIES, NOW);
  const looked = `SELECT country_code, time_bucket, ${dayOfHour(HOURS, { code: "country_code", type: "VARCHAR" }, COUNTRIES)} AS day
    FROM rows JOIN ${HOURS} ON text = strftime(time_bucket, '%Y-%m-%dT%H:%M:%SZ')`;
  expect(await duckdb.rows(`SELECT * FROM (${looked}) WHERE day IS DISTINCT FROM ${day} LIMIT 3`)).toEqual([]);
  expect(await duckdb.rows(`SELECT count(*)::INT AS hours FROM (${looked})`)).toEqual([
    { hours: (PAST_HOURS + FUTURE_HOURS) * codes.length },
  ]);
});
