import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import * as v from "valibot";
import { creationRefusal, creationsSince } from "../../../shared/accounts/account-limits.ts";
import { type Grants, grantRefusal, tokenRefusal } from "../../../shared/accounts/key-grants.ts";
import { resultOf } from "../../../shared/geometry/slices.ts";
import { acceptedPolygonInSlices } from "../../../shared/geometry/wkt.ts";
import { changedUse, WRITES_PER_HOUR, withGeometryChange } from "../../../shared/maps/cell-budget.ts";
import { checkPlace } from "../../../shared/maps/check-place.ts";
import { cannotBeMonitored } from "../../../shared/maps/monitored-cells.ts";
import { CreateMapBody } from "../../../shared/maps/schemas.ts";
import { parseCountryTable } from "../../../shared/products/countries.ts";
import { readBytes } from "../../../shared/runtime/read-bytes.ts";
import countries from "../../countries.json" with { type: "json" };
import { ManualClock } from "../engines/manual-clock.ts";

const NOW = new Date("2026-01-15T12:00:00Z");
const KEY: Grants = { service: "warehouse", scopes: ["realtime"], countries: ["EST", "LAT"], machineAccountAdmin: true };
const unused = (monitoredCells: number) => ({ monitoredCells, cellsWritten: undefined });
const adding = (cells: number) => ({ monitored: cells, written: cells, refusable: true });
const minutesAgo = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000);

/** Attempts that guards must refuse. Each returns whether it got through. */
const ATTEMPTS: Readonly<Record<string, () => boolean | Promise<boolean>>> = {
  "a body that never comes is read on": () => isReadOn([], [5000]),
  "a body that stops is read on": () => isReadOn([4000], [5000]),
  "a body that trickles is read on": () => isReadOn([4000, 4000, 4000, 4000, 4000, 4000, 4000], [2000]),
  "a storage key mints a warehouse token": () => tokenRefusal("warehouse", { ...KEY, service: "storage" }, ["EST"]) === undefined,
  "a key without the scope mints a warehouse token": () => tokenRefusal("warehouse", { ...KEY, scopes: [] }, ["EST"]) === undefined,
  "a key of two countries mints a token for three": () => tokenRefusal("storage", KEY, ["EST", "LAT", "NOR"]) === undefined,
  "a storage key makes a warehouse key": () => grantRefusal(KEY, { ...KEY, service: "storage" }) === undefined,
  "a key makes one with a scope that it lacks": () => grantRefusal(KEY, { ...KEY, scopes: [] }) === undefined,
  "a key makes one for a country that it lacks": () => grantRefusal(KEY, { ...KEY, countries: ["EST"] }) === undefined,
  "a polygon beyond the key's countries is taken": () => isPlaced("POLYGON((24.7 59.4, 24.8 59.4, 24.8 59.5, 24.7 59.4))", ["LAT"]),
  "a 101st machine account is created": () => creationRefusal(100, [], NOW) === undefined,
  "a 21st machine account of an hour is created": () => {
    const created = Array.from({ length: 20 }, (_, index) => minutesAgo(index));
    return creationRefusal(20, creationsSince(created, NOW), NOW) === undefined;
  },
  "a cell more than the budget is monitored": () => !("limit" in changedUse(unused(400), adding(101), 500, NOW)),
  "a cell more than twice the budget is stored in an hour": () => {
    const use = { monitoredCells: 0, cellsWritten: { hour: NOW.toISOString().slice(0, 13), count: WRITES_PER_HOUR * 500 - 100 } };
    return !("limit" in changedUse(use, { ...adding(0), written: 101 }, 500, NOW));
  },
  "a geometry is changed a 61st time in an hour": () =>
    typeof withGeometryChange(
      Array.from({ length: 60 }, (_, index) => minutesAgo(59 - index / 2)),
      NOW,
    ) !== "number",
  "a polygon of a cell more than 200,000 is monitored": () => !cannotBeMonitored(200_001),
  ...Object.fromEntries(
    ["\u0007", "\u007f", "\u00ad", "\u061c", "\u200b", "\u202e", "\u2066", "\ufeff", "\ufe0f", "\u{e0041}"].map((character) => [
      `a map's name has U+${character.codePointAt(0)?.toString(16).padStart(4, "0")}`,
      () => isNamed(`Old${character}town`),
    ]),
  ),
  "a map's description turns the text around": () => isNamed("Old town", "An\u202e old town"),
};

/** Makes every attempt. Returns those that got through. */
export async function breaches(): Promise<string[]> {
  const through: string[] = [];
  for (const [what, attempt] of Object.entries(ATTEMPTS)) if (await attempt()) through.push(what);
  return through;
}

/** Whether a body is still read after its parts, each so many milliseconds after the one before, and another while. */
async function isReadOn(parts: readonly number[], [last = 0]: readonly number[]): Promise<boolean> {
  const clock = new ManualClock();
  const body = new PassThrough();
  const limits = { bytesMax: 1000, pauseMsMax: 5000, totalMsMax: 30_000 };
  let isOver = false;
  readBytes(body, limits, (milliseconds, run) => clock.at(clock.now() + milliseconds, run)).catch(() => {
    isOver = true;
  });
  for (const milliseconds of parts) {
    clock.advance(milliseconds);
    body.write(" ");
    await setImmediate();
  }
  clock.advance(last);
  await setImmediate();
  return !isOver;
}

function isPlaced(geometry: string, keyCountries: readonly string[]): boolean {
  try {
    checkPlace(
      resultOf(acceptedPolygonInSlices(geometry)),
      { countries: keyCountries },
      parseCountryTable("countries.json", countries),
      "/geometry",
    );
    return true;
  } catch {
    return false;
  }
}

function isNamed(name: string, description?: string): boolean {
  const map = { name, type: "admin_level_2", ids: [784], country_code: "EST" };
  return v.is(CreateMapBody, description === undefined ? map : { ...map, description });
}
