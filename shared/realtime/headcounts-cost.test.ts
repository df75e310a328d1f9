import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LOCATION } from "../../infra/testing/engines/warehouse-under-test.ts";
import { at, COUNTRIES, version } from "../../infra/testing/realtime-warehouse.ts";
import { INSTANT, memoryTicks } from "../../infra/testing/simulation/ticks/memory-ticks.ts";
import { startTwoDaysOfPresence, type TwoDaysOfPresence } from "../../infra/testing/two-days-of-presence.ts";
import { clientQuery, outcomeWith } from "../google/bigquery.ts";
import type { Statement } from "../google/statement.ts";
import type { Headcount } from "./headcount.ts";
import { headcountsStatement, newestTicksStatement } from "./headcounts.ts";
import { type RefreshContext, refreshHeadcounts } from "./refresh.ts";

/** Bytes of a row, by BigQuery's sizes: texts 2 plus their length, the rest 8. Source: https://cloud.google.com/bigquery/pricing#data */
const [COUNTRY, TABLE_NAME, NUMBER, TIME] = [2 + "EST".length, 2 + "presence".length, 8, 8];
const PRESENCE = TIME + COUNTRY + 2 * NUMBER;
const LEDGER = COUNTRY + TABLE_NAME + TIME;
/** The number of ticks of each country in two days, and a tick in an hour without measurements. */
const TICKS = 576;
const UNMEASURED = "2025-01-01T00:00:00.000Z";
const HOUR = 60;

const Statistics = v.object({ statistics: v.object({ totalBytesProcessed: v.pipe(v.string(), v.transform(Number)) }) });

let warehouse: TwoDaysOfPresence;

beforeEach(async () => {
  warehouse = await startTwoDaysOfPresence();
  await warehouse.append(version("here", 1, { 1: 1 }), version("there", 1, { 1: 1 }, { country_code: "LAT" }));
});

afterEach(() => warehouse.close());

async function dryRun(statement: Statement): Promise<number> {
  const [{ metadata }] = await warehouse.client.createQueryJob({ ...clientQuery(statement), location: LOCATION, dryRun: true });
  return v.parse(Statistics, metadata).statistics.totalBytesProcessed;
}

/** Refreshes a tick like the service. Returns the number of presence rows that its job has read, and the headcounts. */
async function refreshed(tick: Date): Promise<{ rows: number; headcounts: Headcount[] }> {
  const { client, run } = warehouse;
  // The bytes of all other tables: the same statement over an empty hour of presence.
  const others = await dryRun(headcountsStatement(tick, COUNTRIES, [UNMEASURED]));
  let started = "";
  const headcounts: Headcount[] = [];
  const refresher: RefreshContext = {
    warehouse: {
      start: async (jobId, statement) => {
        await client.createQueryJob({ jobId, ...clientQuery(statement) });
        started = jobId;
      },
      wait: async (jobId, statement) => outcomeWith(statement, { state: "done", rows: (await client.job(jobId).getQueryResults())[0] }),
      query: run,
    },
    tables: { list: async () => [], load: async () => ({ state: "done" }), held: async () => [] },
    snapshots: { write: async (_uid, _tick, own) => void headcounts.push(...own) },
    ticks: memoryTicks().portOf(INSTANT),
    tickMs: undefined,
    intervalMs: 300_000,
    loadJobsADayMax: Number.POSITIVE_INFINITY,
    countries: COUNTRIES,
    now: () => tick,
    log: () => undefined,
  };
  await refreshHeadcounts(tick, refresher);
  const { statistics } = v.parse(Statistics, (await client.job(started).getMetadata())[0]);
  return { rows: (statistics.totalBytesProcessed - others) / PRESENCE, headcounts };
}

const summaryOf = ({ targetName, result, timestamp }: Headcount) => [targetName, result, timestamp.toISOString()];

describe("of two days of presence a refresh reads", () => {
  it.each([0, -5, -12 * HOUR - 40])("only the hour of the newest tick, at %i minutes after noon", async (minutes) => {
    const { rows, headcounts } = await refreshed(at(minutes));
    expect(rows).toBe(await warehouse.rowsInHoursOf(at(minutes)));
    expect(headcounts.map(summaryOf)).toEqual([
      ["here v1", "SUCCESS", at(minutes).toISOString()],
      ["there v1", "SUCCESS", at(minutes).toISOString()],
    ]);
    expect(rows).toBeGreaterThan(0);
    expect(20 * rows).toBeLessThan(await warehouse.rowsInHoursOf());
  });

  it("only the hour before while the tick's hour has no measurement", async () => {
    for (const country of ["EST", "LAT"] as const) await warehouse.silence(country, at(-5));
    expect(await refreshed(at(5))).toMatchObject({ rows: await warehouse.rowsInHoursOf(at(-5)) });
  });

  it("the hour of the last tick of a country that fell silent a day ago, and no hour in between", async () => {
    const last = at(-24 * HOUR + 35);
    await warehouse.silence("LAT", last);
    const { rows, headcounts } = await refreshed(at(0));
    expect(rows).toBe(await warehouse.rowsInHoursOf(at(0), last));
    expect(headcounts.map(summaryOf)).toEqual([
      ["here v1", "SUCCESS", at(0).toISOString()],
      ["there v1", "STALE", last.toISOString()],
    ]);
  });

  it("nothing more for a country that fell silent two days ago", async () => {
    await warehouse.silence("LAT", at(-48 * HOUR));
    expect(await refreshed(at(0))).toMatchObject({ rows: await warehouse.rowsInHoursOf(at(0)) });
  });

  it("nothing if no country has measurements", async () => {
    expect(await refreshed(at(3 * 24 * HOUR))).toMatchObject({ rows: 0 });
  });

  it("only the countries, tables and ticks of the ledger to find the newest ticks", async () => {
    expect(await dryRun(newestTicksStatement(at(0)))).toBe(2 * TICKS * LEDGER);
  });

  it("nothing without its ticks: the warehouse rejects the query", async () => {
    const bound = headcountsStatement(at(0), COUNTRIES, [at(0).toISOString()]);
    const unbound = bound.sql.replace("WHERE presence.tick IN (@tick_0)", "");
    expect(unbound).not.toBe(bound.sql);
    await expect(dryRun({ ...bound, sql: unbound })).rejects.toThrow(/without a filter over column\(s\) 'tick'/);
  });
});
