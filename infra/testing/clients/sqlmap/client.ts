import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Check, CheckContext, Client } from "../client.ts";
import { pythonEnvironment } from "../tools/python-environment.ts";
import { mustRun } from "../tools/run-program.ts";
import { type AttackedRequest, attackedRequests } from "./attacked-requests.ts";
import { serveInjectable } from "./injectable.ts";

const environment = pythonEnvironment(new URL("requirements.txt", import.meta.url));
/** By differences of answers, errors, UNION and subqueries. Not by time: GoogleSQL has no function that waits. */
const OPTIONS = "--batch --disable-coloring --technique BEUQ --ignore-code 400";
const SECONDS_MAX = 600;

/** Lets sqlmap change every value of a request. Returns what it found: the values by which statements can be changed, empty if there is none. */
async function found(request: AttackedRequest, key: string, folder: string): Promise<string> {
  const output = join(folder, "found");
  const body = request.body === undefined ? [] : ["--data", request.body, "-H", "content-type: application/json"];
  const args = ["-m", "sqlmap.sqlmap", "-u", request.url, "-H", `x-api-key: ${key}`, ...body, "--output-dir", output, "--flush-session"];
  const { program, variables } = await environment.python();
  const { stdout } = await mustRun(program, [...args, ...OPTIONS.split(" ")], { folder, environment: variables, secondsMax: SECONDS_MAX });
  const [log] = globSync(join(output, "*", "log"));
  const findings = log === undefined ? "" : readFileSync(log, "utf8").trim();
  if (findings === "" && !stdout.includes("all tested parameters do not appear to be injectable"))
    throw new Error(`sqlmap did not come to an end with ${request.name}:\n${stdout}`);
  return findings;
}

async function nothingIsFound(context: CheckContext): Promise<void> {
  const key = context.customer.keys.warehouse ?? "";
  for (const request of attackedRequests(context)) {
    const { url, body } = request;
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const answer = await fetch(url, { headers, ...(body === undefined ? {} : { method: "POST", body }) });
    if (answer.status !== 200) throw new Error(`${request.name} is no request to change: ${answer.status} ${await answer.text()}`);
    const findings = await found(request, key, context.folder);
    if (findings !== "") throw new Error(`${request.name} takes values for SQL:\n${findings}`);
  }
}

/** What finds nothing anywhere would find nothing here. */
const control: Check = {
  name: "finds a value that is pasted into a statement",
  quick: false,
  run: async ({ folder }) => {
    const { url, close } = await serveInjectable();
    try {
      const findings = await found({ name: "the server made for it", url }, "", folder);
      if (!findings.includes("Parameter: q")) throw new Error(`sqlmap found: ${findings || "nothing"}`);
    } finally {
      await close();
    }
  },
};

/** PyPI's sqlmap, which attacks the values of requests that the warehouse answers. */
export const sqlmap: Client = {
  name: "sqlmap",
  tool: environment,
  checks: [control, { name: "finds none in the service", quick: false, run: nothingIsFound }],
};
