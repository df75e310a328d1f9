import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import { parseArguments } from "../../../scripts/import/arguments.ts";
import { runImport } from "../../../scripts/import/run.ts";
import { LANDING_BUCKET } from "../../local/functions-environment.ts";
import { type Landing, openLanding } from "../landing.ts";
import { clientOf, Failed } from "./client.ts";
import type { Estate, Running } from "./estate.ts";
import type { Rehearsal } from "./phases.ts";
import type { Proof } from "./proof.ts";

const TOLD_MS = 60_000;
const Street = v.object({
  link: v.object({ link_id: v.number() }),
  results: v.array(v.object({ people: v.nullable(v.number()) })),
});

/** Data arrives in the landing bucket while N works: a day that is good, one that is bad, days that are late, and days that are backfilled. */
export async function dataArrives(rehearsal: Rehearsal, next: Running): Promise<void> {
  const { estate, steps, walker } = rehearsal;
  const { environment, front, project } = estate;
  const landing = openLanding(environment.STORAGE_URL ?? "", project);
  const client = clientOf(walker, { users: front.urlOf("users"), data: front.urlOf("data") });
  const streetOn = (date: string) => client.send({ api: "data", path: previewOf(date) }, 200, Street);
  const told = async (date: string): Promise<number> => (await streetOn(date)).results.filter(({ people }) => (people ?? 0) > 0).length;
  const { link_id: street } = (await streetOn("2021-07-01")).link;
  const bring = (date: string, id: number) => bringDay(landing, date, id);
  await steps.take("a day of data arrives", async () => {
    await bring("2021-07-02", street);
    await until(async () => (await told("2021-07-02")) > 0, "The day was not published");
    return [{ what: "rows told by the API", found: await told("2021-07-02"), least: 1, most: 1 }];
  });
  await steps.take("a bad day is quarantined", async () => {
    await bring("2021-07-03", 1);
    const names = () => landing.names("quarantine/flows_hourly/EST/2021-07-03/");
    await until(async () => (await names()).length === 3, "The day was not quarantined");
    return [
      { what: "objects in the quarantine", found: (await names()).length, least: 3, most: 3 },
      { what: "rows told of it", found: await told("2021-07-03"), least: 0, most: 0 },
      { what: "log lines that alert", found: alertsOf(estate, "A batch was quarantined"), least: 1 },
    ];
  });
  await steps.take("late days are alerted on", () => reportMissing(estate, next));
  await steps.take("days are backfilled", async () => {
    const days = ["2021-07-05", "2021-07-06"];
    // Where N-1 knows no import, the notifications wait.
    front.switchWorkers("N-1");
    for (const date of days) await bring(date, street);
    const lines = await backfill(estate, "2021-07-05..2021-07-06");
    front.switchWorkers("N");
    const rows = await Promise.all(days.map(told));
    return [
      { what: "days loaded", found: lines.filter((line) => /: loaded/.test(line)).length, least: 2, most: 2 },
      { what: "rows told by the API", found: rows.reduce((sum, count) => sum + count, 0), least: 2, most: 2 },
    ];
  });
}

function previewOf(date: string): string {
  const window = { start_time: `${date}T00:00:00+03:00`, end_time: `${date}T23:00:00+03:00` };
  return `/data-agg?${new URLSearchParams({ agg_type: "flow", country_code: "EST", lat: "59.437", lon: "24.7454", ...window })}`;
}

async function bringDay(landing: Landing, date: string, link: number): Promise<void> {
  const folder = `landing/flows_hourly/EST/${date}/`;
  await landing.upload(`${folder}part-1.csv`, `link_id,time_bucket,direction,people,devices\n${link},${date}T10:00:00Z,1,100,50\n`);
  await landing.upload(`${folder}_SUCCESS`, "");
}

/** Fires the schedule that looks for late days. The estate's countries have nothing but their sample days, of which the loader's ledger knows none. */
async function reportMissing(estate: Estate, { ports }: Running): Promise<readonly Proof[]> {
  const { status } = await fetch(`http://127.0.0.1:${ports["loading-arrivals"]}/`, { method: "POST" });
  if (status !== 200) throw new Failed(`The schedule of late days got ${status}`);
  return [{ what: "log lines that alert", found: alertsOf(estate, "A day of data did not arrive"), least: 1 }];
}

function alertsOf(estate: Estate, message: string): number {
  return estate.logOf("N").filter((line) => line.startsWith('{"severity":"ERROR"') && line.includes(JSON.stringify(message))).length;
}

/** Runs `npm run import -- flows_hourly --backfill DAYS --country EST` against the estate. Returns its lines. */
async function backfill({ environment, project }: Estate, days: string): Promise<string[]> {
  const state = mkdtempSync(join(tmpdir(), "populus-rehearsal-state-"));
  const ready = {
    project,
    bigquery_endpoint: environment.BIGQUERY_URL,
    storage_endpoint: environment.STORAGE_URL,
    metadata_host: environment.GCE_METADATA_HOST,
    countries_file: environment.COUNTRIES_FILE,
    landing_bucket: LANDING_BUCKET,
  };
  try {
    writeFileSync(join(state, "ready.json"), JSON.stringify(ready));
    const request = parseArguments(["flows_hourly", "--backfill", days, "--country", "EST", "--state", state]);
    if (!request) throw new Error("The command line asks for help");
    const lines: string[] = [];
    await runImport(request, (line) => lines.push(line), new Date());
    return lines;
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

async function until(isSo: () => Promise<boolean>, otherwise: string): Promise<void> {
  for (const end = Date.now() + TOLD_MS; !(await isSo()); await delay(50)) if (Date.now() > end) throw new Failed(otherwise);
}
