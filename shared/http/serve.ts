import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import * as v from "valibot";
import { type AuditEntry, audit } from "../runtime/audit.ts";
import { clientKind } from "../runtime/client-kind.ts";
import { fairTurns, onBehalfOf } from "../runtime/fair-turns.ts";
import { createFewAtOnce, type Turn } from "../runtime/few-at-once.ts";
import type { HttpHandler } from "../runtime/http-handler.ts";
import { describeError, type Log } from "../runtime/log.ts";
import { sourceAddress } from "../runtime/source-address.ts";
import { TimedOut, withTimeout } from "../runtime/with-timeout.ts";
import { monotonicMs } from "../tracing/monotonic-ms.ts";
import { entrySpan } from "../tracing/span.ts";
import { parseCloudTrace, parseTraceparent } from "../tracing/trace-context.ts";
import { type Admission, admit, confirmed, tooMany } from "./admit.ts";
import { corsHeaders, preflight } from "./cors.ts";
import { type Auth, type Endpoint, type HandlerContext, methodsOf, type RawRequest, type Reply } from "./define-endpoint.ts";
import { createBestEffort, toCallerError } from "./dependency-errors.ts";
import { methodNotAllowed, ServiceError } from "./errors.ts";
import { holdsBackBody, matchPath, readBody, readQuery } from "./http-request.ts";
import { createRateLimit, rateHeaders } from "./rate-limit.ts";
import { problemReply, send } from "./respond.ts";
import type { ServeOptions } from "./serve-options.ts";

/** Returns a request's header by its name in lower case. */
type Header = (name: string) => string | undefined;

/** A handler's default timeout in seconds: the longest wait for a dependency that does not respond. */
const REQUEST_SECONDS_MAX = 12;
/** The share of that timeout to wait for best-effort work. */
const BEST_EFFORT_SHARE = 1 / 3;
/** The share of that timeout to wait for a turn. */
const TURN_SHARE = 1 / 2;

/** The party of the requests whose customer is not known. No uid is like it. */
const STRANGERS = "?";

/** What has become known of a request. Its answer, its log line and its end need it, also where the request has failed in between. */
interface Progress {
  admission?: Admission;
  /** The customer, also of a request that its rate limit refused. */
  uid?: string;
  /** The headers of the rate limit. */
  rate: Record<string, string>;
  /** Whose turns of the event loop it takes. */
  party?: string;
  /** Resolves when the use of its key is recorded, or that has taken too long. */
  noted?: Promise<unknown> | undefined;
  /** One of the endpoint's turns, once the handler has asked for it. */
  turn?: Turn | undefined;
  /** The handler at work. It goes on after its timeout. */
  work?: Promise<Reply>;
}

/** Returns the HTTP function of an endpoint: match, authorise, parse, run, check the response. Errors become problem documents. */
export function serve(endpoint: Endpoint, serving: ServeOptions): HttpHandler {
  const { config, log, now, requestMsMax = 1000 * (endpoint.secondsMax ?? REQUEST_SECONDS_MAX) } = serving;
  const limit = createRateLimit(config.rate);
  const takeTurn = endpoint.atOnce === undefined ? undefined : createFewAtOnce(endpoint.atOnce);

  /** Returns the parameters in a path. Throws if the path or the method is not the endpoint's. */
  const matched = (pathname: string, method: string): Readonly<Record<string, string>> => {
    const params = matchPath(endpoint.path, pathname);
    if (!params) throw new ServiceError("not_found", serving.unknownPath?.(endpoint.api, pathname) ?? "There is no such path");
    const allow = methodsOf(endpoint);
    if (!allow.includes(method)) throw methodNotAllowed(allow);
    return params;
  };

  /** Finds the caller and what it may do, and counts its request. Throws if the request is refused. */
  const admitCaller = async (auth: Exclude<Auth, "none">, presented: string | undefined, progress: Progress): Promise<Admission> => {
    // Whose key is not known yet shares the turns of all such requests.
    progress.party = (presented !== undefined && limit.holderOf(presented)) || STRANGERS;
    await fairTurns.enter(progress.party);
    const spent = presented === undefined ? undefined : limit.spent(presented, now().getTime());
    if (spent) {
      progress.uid = spent.uid;
      progress.rate = rateHeaders(config.rate, spent.allowance);
      throw tooMany(spent.allowance);
    }
    const admission = await admit(presented, auth, serving, (owner) => limit.take(owner, now().getTime(), presented));
    progress.admission = admission;
    progress.uid = admission.caller.uid;
    progress.rate = admission.headers;
    if (admission.refusal) throw admission.refusal;
    return admission;
  };

  /** Runs the handler, at most until the end of its time. */
  const runHandler = (raw: RawRequest, progress: Progress, startedAt: number, context: Omit<HandlerContext, "turn">): Promise<Reply> => {
    const { admission, uid = STRANGERS } = progress;
    const turn = async (): Promise<void> => {
      const msLeft = requestMsMax - (monotonicMs() - startedAt);
      if (msLeft <= 0) throw new TimedOut(requestMsMax);
      progress.turn ??= takeTurn?.(uid);
      // Who waits long has little time left for the work itself.
      if (progress.turn) await withTimeout(progress.turn.begun, Math.min(TURN_SHARE * requestMsMax, msLeft));
    };
    const run = () => onBehalfOf(uid, () => endpoint.run(raw, admission, { ...context, turn }));
    progress.work = admission ? confirmed(endpoint, admission, run) : run();
    return withTimeout(progress.work, requestMsMax);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse, header: Header): Promise<number> => {
    const startedAt = monotonicMs();
    const requestId = randomUUID();
    const requestLog: Log = (severity, message, fields) => log(severity, message, { requestId, ...fields });
    const source = { sourceAddress: sourceAddress(request, config), client: clientKind(header("user-agent")) };
    const progress: Progress = { rate: {} };
    const auditCall = (action: AuditEntry["action"], subject?: string): void => {
      if (!progress.admission) return;
      const { uid, keyLabel, keyHint } = progress.admission.caller;
      const actor = { kind: "key", keyLabel, keyHint } as const;
      audit(requestLog, { action, uid, actor, ...(subject === undefined ? {} : { subject }), requestId, ...source });
    };
    const bestEffort = createBestEffort(BEST_EFFORT_SHARE * requestMsMax, requestLog);
    const respond = async (): Promise<Reply> => {
      const url = new URL(`http://function${request.url ?? "/"}`);
      const params = matched(url.pathname, request.method ?? "");
      const isHeldBack = await holdsBackBody(request);
      if (endpoint.auth !== "none") {
        const { recordUse } = await admitCaller(endpoint.auth, header("x-api-key"), progress);
        const recorded = recordUse({ now: now(), address: source.sourceAddress, client: source.client });
        const tellNetwork = (network: string | undefined) => network === undefined || auditCall("key.network", network);
        progress.noted = recorded && bestEffort(recorded.unusualNetwork.then(tellNetwork));
      }
      const body = await onBehalfOf(progress.uid ?? STRANGERS, () => readBody(request, serving.startTimer));
      // Whoever holds a body back decides when the request runs. Its key counts as it is when the body is whole.
      if (progress.admission && isHeldBack) progress.admission = await progress.admission.renew();
      const raw = { params, query: readQuery(url.searchParams), body };
      const context = { config, log: requestLog, now, newId: randomUUID, header, bestEffort, audit: auditCall };
      return checked(endpoint, await runHandler(raw, progress, startedAt, context));
    };
    const problem = (thrown: unknown): Reply => {
      const error = toCallerError(thrown);
      if (!(error instanceof ServiceError)) requestLog("ERROR", "Request failed", describeError(error));
      else if (error.cause !== undefined && error.code === "unavailable") requestLog("WARNING", error.message, describeError(error));
      else if (error.code === "permission_denied") auditCall("access.refuse", `${endpoint.name}: ${error.message}`);
      return problemReply(error, requestId);
    };
    const cors = corsHeaders(header("origin"), config);
    // Also of an unknown path, whose answer a page may read, too.
    const reply = preflight(request.method, cors) ?? (await respond().catch(problem));
    const { noted, rate, uid, party } = progress;
    await noted;
    const sending = { policy: endpoint, requestId, uid };
    const sent = send(request, response, { ...reply, headers: { ...cors, ...rate, ...reply.headers } }, sending);
    const status = await sent.finally(() => {
      // Work goes on after its timeout, and holds what it has read.
      if (takeTurn) void Promise.allSettled([progress.work]).then(() => progress.turn?.end());
      if (party !== undefined) fairTurns.leave(party);
    });
    const milliseconds = monotonicMs() - startedAt;
    requestLog(status >= 500 ? "ERROR" : "INFO", `${endpoint.method} ${endpoint.path} ${status}`, {
      function: endpoint.name,
      latencyMs: Math.round(milliseconds),
      uid,
      keyLabel: progress.admission?.caller.keyLabel,
      httpRequest: {
        requestMethod: request.method,
        requestUrl: endpoint.path,
        status,
        latency: `${(milliseconds / 1000).toFixed(6)}s`,
      },
    });
    return status;
  };

  return (request, response) => {
    const header: Header = (name) => [request.headers[name]].flat()[0];
    const caller = parseTraceparent(header("traceparent")) ?? parseCloudTrace(header("x-cloud-trace-context"));
    const attributes = { "faas.name": endpoint.name, "http.request.method": endpoint.method, "http.route": endpoint.path };
    const options = { name: `${endpoint.method} ${endpoint.path}`, kind: "server", attributes } as const;
    return entrySpan(config.project, caller, options, async (span) => {
      const status = await answer(request, response, header);
      span.set({ "http.response.status_code": status });
      if (status >= 500) span.fail();
    });
  };
}

/** Parses a reply with its schema. Throws if it does not match, which is a bug: such a reply is never sent. */
function checked(endpoint: Endpoint, reply: Reply): Reply {
  const schema = endpoint.responses[reply.status];
  if (!schema) throw new Error(`${endpoint.name} returned status ${reply.status}, which it does not declare`);
  // Of a union, options that do not match end at their first member, and not after all rows.
  const parsed = v.safeParse(schema, reply.body, { abortEarly: true });
  if (parsed.success) return { ...reply, body: parsed.output };
  const { issues = [] } = v.safeParse(schema, reply.body);
  throw new Error(`${endpoint.name} breaks its own schema at ${issues.map((issue) => v.getDotPath(issue) ?? "root").join(", ")}`);
}
