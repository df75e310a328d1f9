import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { Authenticate, Caller } from "../../../shared/http/caller.ts";
import { defineEndpoint, noInput, reply } from "../../../shared/http/define-endpoint.ts";
import { ServiceError } from "../../../shared/http/errors.ts";
import { serve } from "../../../shared/http/serve.ts";
import { parseConfig } from "../../../shared/runtime/config.ts";
import { listen } from "../../local/server.ts";
import { ManualClock } from "../engines/manual-clock.ts";
import { holdRequest } from "../held-request.ts";

const config = parseConfig({ GOOGLE_CLOUD_PROJECT: "demo-late", ENVIRONMENT: "local", EXPORT_BUCKET: "bucket" });
const GRANTS = { service: "warehouse", scopes: ["realtime"], countries: ["EST", "LAT"], machineAccountAdmin: true } as const;
const CALLER: Caller = { uid: "customer1", keyLabel: "main", keyHint: "aaaaaa", keyId: "stored", defaultCountry: "EST", ...GRANTS };

/** What may happen to a key, and the status of its requests from then on. */
const CHANGES: Readonly<Record<string, { readonly present: Caller | undefined; readonly status: number }>> = {
  revoked: { present: undefined, status: 401 },
  suspended: { present: { ...CALLER, suspended: true }, status: 403 },
  "without its scope": { present: { ...CALLER, scopes: [] }, status: 403 },
  "without its admin access": { present: { ...CALLER, machineAccountAdmin: false }, status: 403 },
};
/** What a handler may rely on without its endpoint requiring it. */
const LOSSES: typeof CHANGES = {
  ...CHANGES,
  "without a country": { present: { ...CALLER, countries: ["EST"] }, status: 403 },
  "without the warehouse profile": { present: { ...CALLER, service: "storage" }, status: 403 },
};

/** When the change happens: while the body is held back, or in the handler, which then succeeds or fails. */
type Moment = "body" | "success" | "failure";

/** Serves one request during which its key changes. Returns the status of the response, and how often the handler ran. */
async function during(moment: Moment, isEmpty: boolean, present: Caller | undefined) {
  const clock = new ManualClock();
  let stored: Caller | undefined = CALLER;
  let ran = 0;
  const authenticate: Authenticate = async () => (stored ? { caller: stored, recordUse: () => undefined } : undefined);
  const endpoint = defineEndpoint({
    ...{ file: "late/request", api: "data", method: "POST", path: "/late", summary: "Late", description: "Late" },
    auth: { scope: "realtime", machineAccountAdmin: true },
    ...{ params: noInput, query: noInput, body: noInput, responses: { 200: noInput }, dependencies: () => undefined },
    handler: async () => {
      ran += 1;
      if (moment !== "body") stored = present;
      if (moment === "failure") throw new ServiceError("conflict", "The job is completed");
      return reply(200, {});
    },
  });
  const startTimer = (milliseconds: number, run: () => void) => clock.at(clock.now() + milliseconds, run);
  const handler = serve(endpoint, { config, authenticate, log: () => undefined, now: () => new Date(0), startTimer });
  const server = createServer((request, response) => void handler(request, response));
  const held = holdRequest({ port: await listen(server), method: "POST", path: "/late", key: "a".repeat(64) });
  let isAnswered = false;
  void held.answer.then(() => {
    isAnswered = true;
  });
  while (clock.waits().length === 0 && !isAnswered) await setTimeout(1);
  if (moment === "body") stored = present;
  held.end(isEmpty ? "" : "{}");
  const { status } = await held.answer;
  server.close();
  return { status, ran };
}

/** Sends requests during which their key changes, at each moment. Returns a line for each that was accepted, or ran too late. */
export async function lateRequests(): Promise<string[]> {
  const violations: string[] = [];
  for (const moment of ["body", "success", "failure"] as const)
    for (const isEmpty of [false, true])
      for (const [name, { present, status }] of Object.entries(moment === "body" ? CHANGES : LOSSES)) {
        const got = await during(moment, isEmpty, present);
        if (got.status !== status || (moment === "body" && got.ran > 0))
          violations.push(`${name} during ${moment}: ${JSON.stringify(got)}`);
      }
  return violations;
}
