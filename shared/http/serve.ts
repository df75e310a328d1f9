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
import { type Endpoint, methodsOf, type Reply } from "./define-endpoint.ts";
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

/** Returns the HTTP function of an endpoint: match, authorise, parse, run, check the response. Errors become problem documents. */
export function serve(endpoint: Endpoint, serving: ServeOptions): HttpHandler {
  const { config, log, now, requestMsMax = 1000 * (endpoint.secondsMax ?? REQUEST_SECONDS_MAX) } = serving;
  const limit = createRateLimit(config.rate);
  const takeTurn = endpoint.atOnce === undefined ? undefined : createFewAtOnce(endpoint.atOnce);
  const answer = async (request: IncomingMessage, response: ServerResponse, header: Header): Promise<number> => {
    const startedAt = monotonicMs();
    const requestId = randomUUID();
    const requestLog: Log = (severity, message, fields) => log(severity, message, { requestId, ...fields });
    const source = { sourceAddress: sourceAddress(request, config), client: clientKind(header("user-agent")) };
    let admission: Admission | undefined;
    let uid: string | undefined;
    let rate: Record<string, string> = {};
    let party: string | undefined;
    const auditCall = (action: AuditEntry["action"], subject?: string): void => {
      if (!admission) return;
      const { uid, keyLabel, keyHint } = admission.caller;
      const actor = { kind: "key", keyLabel, keyHint } as const;
      audit(requestLog, {
        action,
        uid,
        actor,
        ...(subject === undefined ? {} : { subject }),
        requestId,
        ...source,
      });
    };
    const cors = corsHeaders(header("origin"), config);
    const bestEffort = createBestEffort(BEST_EFFORT_SHARE * requestMsMax, requestLog);
    let noted: Promise<unknown> | undefined;
    let turn: Turn | undefined;
    let work: Promise<Reply> | undefined;
    let reply: Reply;
    try {
      const url = new URL(`http://function${request.url ?? "/"}`);
      const params = matchPath(endpoint.path, url.pathname);
      // A page may read the answer of an unknown path, too.
      const preflightReply = preflight(request.method, cors);
      if (!params && !preflightReply)
        throw new ServiceError("not_found", serving.unknownPath?.(endpoint.api, url.pathname) ?? "There is no such path");
      const allow = methodsOf(endpoint);
      if (!preflightReply && !allow.includes(request.method ?? "")) throw methodNotAllowed(allow);
      const isHeldBack = await holdsBackBody(request);
      if (endpoint.auth !== "none" && !preflightReply) {
        const presented = header("x-api-key");
        // Whose key is not known yet shares the turns of all such requests.
        party = (presented !== undefined && limit.holderOf(presented)) || STRANGERS;
        await fairTurns.enter(party);
        const spent = presented === undefined ? undefined : limit.spent(presented, now().getTime());
        if (spent) {
          ({ uid } = spent);
          rate = rateHeaders(config.rate, spent.allowance);
          throw tooMany(spent.allowance);
        }
        admission = await admit(presented, endpoint.auth, serving, (owner) => limit.take(owner, now().getTime(), presented));
        ({ uid } = admission.caller);
        rate = admission.headers;
        if (admission.refusal) throw admission.refusal;
        const recorded = admission.recordUse({ now: now(), address: source.sourceAddress, client: source.client });
        const tellNetwork = (network: string | undefined) => network === undefined || auditCall("key.network", network);
        noted = recorded && bestEffort(recorded.unusualNetwork.then(tellNetwork));
      }
      const read = () => onBehalfOf(uid ?? STRANGERS, () => readBody(request, serving.startTimer));
      const body = preflightReply ? undefined : await read();
      // Whoever holds a body back decides when the request runs. Its key counts as it is when the body is whole.
      if (admission && isHeldBack) admission = await admission.renew();
      const raw = { params: params ?? {}, query: readQuery(url.searchParams), body };
      const waitForTurn = async (): Promise<void> => {
        const msLeft = requestMsMax - (monotonicMs() - startedAt);
        if (msLeft <= 0) throw new TimedOut(requestMsMax);
        turn ??= takeTurn?.(uid ?? STRANGERS);
        // Who waits long has little time left for the work itself.
        if (turn) await withTimeout(turn.begun, Math.min(TURN_SHARE * requestMsMax, msLeft));
      };
      const context = { config, log: requestLog, now, newId: randomUUID, header, bestEffort, turn: waitForTurn, audit: auditCall };
      const run = () => onBehalfOf(uid ?? STRANGERS, () => endpoint.run(raw, admission, context));
      const admitted = () => (admission ? confirmed(endpoint, admission, run) : run());
      const running = () => {
        work = admitted();
        return withTimeout(work, requestMsMax);
      };
      reply = preflightReply ?? checked(endpoint, await running());
    } catch (thrown) {
      const error = toCallerError(thrown);
      if (!(error instanceof ServiceError)) requestLog("ERROR", "Request failed", describeError(error));
      else if (error.cause !== undefined && error.code === "unavailable") requestLog("WARNING", error.message, describeError(error));
      else if (error.code === "permission_denied") auditCall("access.refuse", `${endpoint.name}: ${error.message}`);
      reply = problemReply(error, requestId);
    }
    await noted;
    const sending = { policy: endpoint, requestId, uid };
    const sent = send(request, response, { ...reply, headers: { ...cors, ...rate, ...reply.headers } }, sending);
    const status = await sent.finally(() => {
      // Work goes on after its timeout, and holds what it has read.
      if (takeTurn) void Promise.allSettled([work]).then(() => turn?.end());
      if (party !== undefined) fairTurns.leave(party);
    });
    const milliseconds = monotonicMs() - startedAt;
    requestLog(status >= 500 ? "ERROR" : "INFO", `${endpoint.method} ${endpoint.path} ${status}`, {
      function: endpoint.name,
      latencyMs: Math.round(milliseconds),
      uid,
      keyLabel: admission?.caller.keyLabel,
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
