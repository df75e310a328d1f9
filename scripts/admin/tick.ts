import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as v from "valibot";
import { Mistake } from "./verb.ts";

const USAGE = `Usage: npm run admin -- tick [options]

Refreshes the headcounts of all monitored maps of the local service now, between the ticks of the schedule.

  --state DIR          the folder of the running service (default: .local)
  --help               this text
`;

const Ready = v.object({ functions: v.record(v.string(), v.string()) });

/** Fires the refresh once. Throws a Mistake when no service runs there or the refresh failed. */
export async function adminTick(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { state: { type: "string", default: ".local" }, help: { type: "boolean", default: false } },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const url = refreshUrl(join(values.state, "ready.json"));
  const answer = await fetch(url, { method: "POST" }).catch(() => undefined);
  if (!answer) throw new Mistake(`The service of ${values.state} does not answer; start it with ./scripts/start`);
  if (!answer.ok) throw new Mistake(`The refresh failed; ${join(values.state, "functions.log")} says why`);
  console.log("Headcounts are refreshed from the newest measurement");
}

function refreshUrl(file: string): string {
  try {
    const url = v.parse(Ready, JSON.parse(readFileSync(file, "utf8"))).functions["realtime-refresh"];
    if (url !== undefined) return url;
  } catch {
    // Told below.
  }
  throw new Mistake(
    `No service runs there: ${file} is not to be found; start one with ./scripts/start, or name its folder with --state DIR`,
  );
}
