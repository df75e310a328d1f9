import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "../testing/engines/warehouse-under-test.ts";
import type { SampleProgress } from "./messages.ts";
import { SAMPLE_HOLDING, SampleFilling } from "./sample-filling.ts";
import { makeTables } from "./tables.ts";

// Three fills of different instants would have different hours and ticks.
const NOW = new Date("2026-07-15T10:42:07Z");
const OPTIONS = { seed: 7, scale: 0.05, days: 2, tickSeconds: 300, now: () => NOW };
const FACTS = ["activities_daily", "activities_hourly", "flows_hourly", "odm_daily"];
const FILLED = [
  ...FACTS.flatMap((table) => [`intake.${table}`, `mobility.${table}`]),
  ...["coverage", "geographies", "geography_cells", "road_links", "batches", "batch_geo_types"].map((table) => `mobility.${table}`),
  ...["intake.nesting", "intake.presence", "realtime.presence", "intake.batches"],
];
const Counted = v.object({ numRows: v.number() });
const Described = v.object({ numRows: v.pipe(v.string(), v.transform(Number)) });

let dataDirectory: string;
let warehouse: WarehouseUnderTest;

beforeEach(async () => {
  dataDirectory = mkdtempSync(join(tmpdir(), "populus-filling-"));
  warehouse = await startWarehouseUnderTest({ dataDirectory, holding: SAMPLE_HOLDING });
  await makeTables(warehouse);
});

afterEach(async () => {
  await warehouse.close();
  rmSync(dataDirectory, { recursive: true });
});

/** Returns the number of rows of each table, as somebody else sees them: of a ledger by a query, since its metadata are those of the moment. */
async function counts({ client } = warehouse): Promise<Record<string, number>> {
  const found = FILLED.map(async (name) => {
    const [dataset = "", table = ""] = name.split(".");
    if (SAMPLE_HOLDING.ledgers.includes(name)) {
      const [[row]] = await client.query(`SELECT COUNT(*) AS numRows FROM \`${name}\``);
      return [name, v.parse(Counted, row).numRows] as const;
    }
    const [metadata] = await client.dataset(dataset).table(table).getMetadata();
    return [name, v.parse(Described, metadata).numRows] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

it("who asks while the sample is made sees every table whole, also if it is stopped midway and made on by another start", async () => {
  const first = new SampleFilling(
    {
      withConnection: warehouse.withConnection,
      tidy: warehouse.tidy,
      release: (tables) => {
        warehouse.release(tables);
        if (tables.includes("mobility.flows_hourly")) void first.stop();
      },
    },
    { ...OPTIONS, dataDirectory },
  );
  await expect(first.fill()).rejects.toThrow();
  // Among them are the tables that were released before the stop.
  const asked = counts();
  await new SampleFilling(warehouse, { ...OPTIONS, dataDirectory }).fill();
  const completed = await asked;
  const other = await startWarehouseUnderTest();
  await makeTables(other);
  const steps: SampleProgress[] = [];
  await new SampleFilling(other, { ...OPTIONS, dataDirectory: undefined }, (step) => steps.push(step)).fill();
  const whole = await counts(other);
  await other.close();
  expect(completed).toEqual(whole);
  expect(Object.entries(completed).filter(([, rows]) => rows === 0)).toEqual([]);
  const ofDays = steps.filter(({ of }) => of !== undefined);
  expect(ofDays.length).toBeGreaterThan(0);
  expect(ofDays).toEqual(ofDays.map(({ step }, done) => ({ step, done, of: ofDays.length })));
});
