import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import * as v from "valibot";
import type { Config } from "../config.ts";
import { ServiceError } from "../errors.ts";
import { describeFault, type Log, traceFields } from "../log.ts";
import type { Caller } from "../schemas/api-key.ts";
import type { FindKey } from "../stores/api-keys.ts";
import { authorise } from "./authorise.ts";
import type { Endpoint, Reply } from "./define.ts";
import type { ScheduleFunction } from "./define-schedule.ts";
import { callersFault, inTime } from "./dependency.ts";
import { matchPath, readBody, readQuery } from "./http-request.ts";
import { problemReply, send } from "./respond.ts";

/** How long a key is looked for. */
const KEY_MS_MAX = 10_000;

/** What an endpoint is served with; a test brings its own clock and log. */
export interface Serving {
  readonly config: Config;
  readonly findKey: FindKey;
  readonly log: Log;
  readonly now: () => Date;
  /** Milliseconds that the search for a key may take; 10 s when left out. */
  readonly keyMsMax?: number;
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The HTTP function of an endpoint: match, authorise, parse, run, check the answer; failures become problem documents. */
export function serve(endpoint: Endpoint, { config, findKey, log, now, keyMsMax = KEY_MS_MAX }: Serving): Handler {
  return async (request, response) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    const header = (name: string): string | undefined => [request.headers[name]].flat()[0];
    const trace = traceFields(config.project, header("traceparent"), header("x-cloud-trace-context"));
    const requestLog: Log = (severity, message, fields) => log(severity, message, { requestId, ...trace, ...fields });
    let caller: Caller | undefined;
    let reply: Reply;
    try {
      const url = new URL(`http://function${request.url ?? "/"}`);
      const params = matchPath(endpoint.path, url.pathname);
      if (!params) throw new ServiceError("not_found", "There is no such path");
      if (request.method !== endpoint.method)
        throw new ServiceError("method_not_allowed", `This path takes ${endpoint.method}`, { headers: { allow: endpoint.method } });
      caller = await authorise(header("x-api-key"), endpoint.auth, config.environment, (hash) => inTime(findKey(hash), keyMsMax));
      const raw = {
        params,
        query: readQuery(url.searchParams),
        body: await readBody(request),
      };
      const surroundings = {
        config,
        log: requestLog,
        now,
        newId: randomUUID,
        header,
      };
      reply = checked(endpoint, await endpoint.run(raw, caller, surroundings));
    } catch (thrown) {
      const fault = callersFault(thrown);
      if (!(fault instanceof ServiceError)) requestLog("ERROR", "Request failed", describeFault(fault));
      else if (fault.cause !== undefined && fault.code === "unavailable") requestLog("WARNING", fault.message, describeFault(fault));
      reply = problemReply(fault, requestId);
    }
    send(response, reply, requestId);
    requestLog(reply.status >= 500 ? "ERROR" : "INFO", `${endpoint.method} ${endpoint.path} ${reply.status}`, {
      function: endpoint.name,
      uid: caller?.uid,
      keyLabel: caller?.keyLabel,
      httpRequest: {
        requestMethod: request.method,
        requestUrl: endpoint.path,
        status: reply.status,
        latency: `${((performance.now() - startedAt) / 1000).toFixed(6)}s`,
      },
    });
  };
}

/** The HTTP function of a schedule: 200 when its run succeeded, 500 when it threw (which it has logged). */
export function serveSchedule({ run }: ScheduleFunction): Handler {
  return async (request, response) => {
    const time = new Date([request.headers["x-cloudscheduler-scheduletime"]].flat()[0] ?? "");
    const status = await run(Number.isNaN(time.getTime()) ? undefined : time).then(
      () => 200,
      () => 500,
    );
    response.writeHead(status).end();
  };
}

/** An answer that breaks its own schema is a fault of ours and never leaves. */
function checked(endpoint: Endpoint, reply: Reply): Reply {
  const schema = endpoint.responses[reply.status];
  if (!schema) throw new Error(`${endpoint.name} answered ${reply.status}, which it does not declare`);
  const parsed = v.safeParse(schema, reply.body);
  if (parsed.success) return { ...reply, body: parsed.output };
  throw new Error(`${endpoint.name} breaks its own schema at ${parsed.issues.map((issue) => v.getDotPath(issue) ?? "the top").join(", ")}`);
}
