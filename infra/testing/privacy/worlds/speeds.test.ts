import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SeenWorld, scoreWorlds } from "../../../../scripts/privacy/possible-worlds.ts";
import { loadStatement } from "../../../../shared/publishing/load.ts";
import { ageIntake } from "../../aged-intake.ts";
import { type LoadedRow, type Loads, startLoads } from "../../loads.ts";

const DAY = "2026-03-01";
const [K, STEP, PEOPLE_OF_DEVICE] = [3, 12, 4];
/** The devices of a pair, before and after a correction: none is withheld, and the most end a step. */
const [FEWEST, MOST] = [3, 10];
const SPEED_KMH = 40;

/** The devices of a pair, and the speeds of all of them together beyond 40 km/h each: a device has a whole number of km/h. */
interface Driven {
  readonly devices: number;
  readonly beyond: number;
}

const DRIVEN: readonly Driven[] = Array.from({ length: MOST - FEWEST + 1 }, (_, index) => FEWEST + index).flatMap((devices) =>
  Array.from({ length: devices }, (_, beyond) => ({ devices, beyond })),
);
/** Each pair before and after: a correction may add and remove any devices. */
const WORLDS = DRIVEN.flatMap((before) => DRIVEN.map((after) => ({ before, after })));

const Rows = v.array(v.object({ world: v.number(), trips: v.number(), speed: v.number() }));

let loads: Loads;

/** Loads a pair of each world. */
async function load(version: "before" | "after"): Promise<void> {
  const rows = WORLDS.map(
    ({ [version]: { devices, beyond } }, world): LoadedRow => ({
      ...{ country_code: "EST", batch_date: DAY, origin_geo_type: "grid_250m", origin_geo_id: world },
      ...{ destination_geo_type: "grid_250m", destination_geo_id: 1 },
      ...{ trips: devices * PEOPLE_OF_DEVICE, devices, average_speed_kmh: SPEED_KMH + beyond / devices },
    }),
  );
  const staged = await loads.stage("odm_daily", rows);
  const countries = staged.countries.map((country) => ({ ...country, k: K, step: STEP }));
  await loads.run(loadStatement({ ...staged, countries }));
}

/** Returns what is published of each world, with its speed or without. */
async function published(): Promise<ReadonlyMap<number, { readonly trips: string; readonly speed: string }>> {
  const sql = `SELECT origin_geo_id AS world, trips, average_speed_kmh AS speed FROM mobility.odm_daily WHERE batch_date = "${DAY}"`;
  const rows = v.parse(Rows, await loads.run(sql));
  return new Map(rows.map(({ world, trips, speed }) => [world, { trips: `${trips}`, speed: `${trips} ${speed}` }]));
}

describe("the mean speed of a pair that is corrected after its raw rows have left intake", () => {
  const seen: Awaited<ReturnType<typeof published>>[] = [];

  beforeAll(async () => {
    loads = await startLoads();
    await load("before");
    seen.push(await published());
    await ageIntake((sql) => loads.run(sql), 15);
    await load("after");
    seen.push(await published());
  });

  afterAll(() => loads.close());

  /** Scores one who sees both versions, and knows that a device's speed is a whole number. */
  function score(read: "trips" | "speed") {
    const worlds = WORLDS.map(
      ({ before, after }, world): SeenWorld => ({
        published: seen.map((version) => version.get(world)?.[read] ?? "").join("; "),
        sets: [{ name: "changed", count: Math.abs(after.devices - before.devices) }],
      }),
    );
    return scoreWorlds(worlds, K);
  }

  it("tells nobody how many devices the correction added or removed", () => {
    expect(score("trips").recovered).toBe(0);
    expect(score("speed")).toEqual({ considered: 1174, shown: 0, recovered: 0 });
  });
});
