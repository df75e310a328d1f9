import * as v from "valibot";
import type { AuditEntry } from "../runtime/audit.ts";
import type { Config } from "../runtime/config.ts";
import { functionName } from "../runtime/function-name.ts";
import type { Log } from "../runtime/log.ts";
import type { Caller, HeldKey } from "./caller.ts";
import type { BestEffort } from "./dependency-errors.ts";
import { type ErrorCode, type FieldError, invalidFields, ServiceError } from "./errors.ts";
import { errorsOf, queryErrorsOf } from "./field-errors.ts";
import type { RequestHeader, ResponseHeader } from "./headers.ts";
import type { Schema } from "./schema.ts";

export type Api = "users" | "data";
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The methods whose requests have a body. */
export const METHODS_WITH_BODY: readonly Method[] = ["POST", "PUT", "PATCH"];

/** Returns the methods that an endpoint answers: HEAD too where GET does, as RFC 9110 asks of every server (section 9.1). */
export function methodsOf({ method }: { readonly method: Method }): string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

/** What an endpoint requires of a valid key. `none` requires no key. */
export type Auth = "none" | { readonly scope?: "realtime"; readonly machineAccountAdmin?: true };

/** The schema of an empty part of a request. Rejects any member. */
export const noInput = v.optional(v.strictObject({}), {});

/** What every handler receives besides the parsed request. The clock and the id generator are injected. */
export interface HandlerContext {
  readonly config: Config;
  readonly log: Log;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Writes an audit entry with the caller as actor: the action and its subject. */
  readonly audit: (action: AuditEntry["action"], subject?: string) => void;
  /** For work that the response does not depend on and that the sweeper redoes on failure. Waits for a share of the request's timeout. */
  readonly bestEffort: BestEffort;
  /**
   * Waits for one of the endpoint's turns, of which a process gives `atOnce` at a time, to customers in rotation. It lasts until the answer is made.
   * Rejects if it does not begin in half of the request's time, or before its end. Without `atOnce` it begins at once.
   */
  readonly turn: () => Promise<void>;
  /** Returns a request header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns a reply whose status is a literal type, so that its body is type-checked against the schema of that status. */
export function reply<const S extends number, B>(status: S, body: B, headers: Readonly<Record<string, string>> = {}) {
  return { status, body, headers };
}

type Responses = Readonly<Record<number, v.GenericSchema>>;
type ReplyOf<R extends Responses> = {
  [S in keyof R & number]: {
    readonly status: S;
    readonly body: v.InferInput<R[S]>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof R & number];

/** The parts of a request before parsing. */
export interface RawRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

interface Shape<P, Q, B, R> {
  /** Folder and file below `functions/`, for example `aggregation/submit`. */
  readonly file: string;
  readonly api: Api;
  readonly method: Method;
  /** `{name}` matches one segment. */
  readonly path: string;
  readonly summary: string;
  /** What a caller should know besides the summary. Shown by `GET /docs`. */
  readonly description: string;
  readonly params: Schema<P>;
  readonly query: Schema<Q>;
  /** An optional schema makes the body optional. */
  readonly body: Schema<B>;
  /** Returns errors that only data can show, to report them together with those of the schemas. The handler refuses such requests too. */
  readonly faults?: (request: RawRequest) => readonly FieldError[] | Promise<readonly FieldError[]>;
  /** One schema for each success status. */
  readonly responses: R;
  /** The errors by which the handler refuses what is well-formed, besides those that follow from the request's form. The OpenAPI document has them. */
  readonly refusals?: readonly ErrorCode[];
  /** The handler's timeout in seconds, 12 by default. Raise it only for long work, not for dependencies that do not respond. */
  readonly secondsMax?: number;
  /**
   * How many of its requests have a turn at a time, which the handler asks for. For answers so large that those of all requests would not fit into
   * the memory of a process at once (`concurrency` and `memory` in terraform/modules/catalogue/kinds.tf).
   */
  readonly atOnce?: number;
  /** Headers that the handler reads, and those that it sends, by status; in addition to the key and `x-request-id`. */
  readonly requestHeaders?: readonly RequestHeader[];
  readonly responseHeaders?: Readonly<Record<number, readonly ResponseHeader[]>>;
  /** Whether the customer may keep a 200: it has an entity tag, and the answer to `If-None-Match` with this tag is 304. Only for GET. */
  readonly isRevalidated?: true;
  /** Whether the answers contain credentials. Such are never compressed: their size would tell something of their content (BREACH). */
  readonly hasCredentials?: true;
}

/** An endpoint without its type parameters: its definition, and `run`. */
export interface Endpoint extends Shape<unknown, unknown, unknown, Responses> {
  /** The function's name in every environment: its file with a dash instead of the slash. */
  readonly name: string;
  readonly auth: Auth;
  /**
   * Where a successful request checks its key again: in the transaction that writes, with the one read that it answers from, or by default just
   * before it is answered.
   */
  readonly checksKey?: "in its transaction" | "with its read";
  /** Opens what the handler uses, if the endpoint opens it early. */
  readonly openEarly: (config: Config, now: () => Date) => void;
  /** Parses the request and runs the handler. Throws `ServiceError` for invalid requests. */
  readonly run: (request: RawRequest, asker: Asker | undefined, context: HandlerContext) => Promise<Reply>;
}

/** Who asks: the caller, and its key for later checks. */
export interface Asker {
  readonly caller: Caller;
  readonly key: HeldKey;
}

interface Request<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

interface Definition<P, Q, B, R extends Responses, U> extends Shape<P, Q, B, R> {
  readonly auth: Exclude<Auth, "none">;
  readonly checksKey?: "in its transaction" | "with its read";
  /** Opens the stores and clients that the handler uses, which may keep the clock. Called once per process, at the first request or, with `opensEarly`, before it. */
  readonly dependencies: (config: Config, now: () => Date) => U;
  /** Whether a process of this endpoint opens them before its first request: where every request that is answered with 2xx needs all of them. */
  readonly opensEarly?: true;
  readonly handler: (request: Request<P, Q, B> & Asker, uses: U, context: HandlerContext) => Promise<ReplyOf<R>>;
}

/** Defines an endpoint that requires a key. Returns its argument with `run`, so that tests can call `handler` with stubs. */
export function defineEndpoint<P, Q, B, R extends Responses, U>(
  definition: Definition<P, Q, B, R, U>,
): Definition<P, Q, B, R, U> & Endpoint {
  let uses: U | undefined;
  const open = (config: Config, now: () => Date): U => {
    uses ??= definition.dependencies(config, now);
    return uses;
  };
  return {
    ...definition,
    name: functionName(definition.file),
    openEarly: (config, now) => void (definition.opensEarly && open(config, now)),
    run: async (raw, asker, context) => {
      if (!asker) throw new Error(`${definition.file} ran without a caller`);
      const request = await parseRequest(definition, raw);
      const { caller, key } = asker;
      return definition.handler({ ...request, caller, key }, open(context.config, context.now), context);
    },
  };
}

interface PublicDefinition<P, Q, B, R extends Responses> extends Shape<P, Q, B, R> {
  readonly handler: (request: Request<P, Q, B>, context: HandlerContext) => Promise<ReplyOf<R>>;
}

/** Defines an endpoint that requires no key. */
export function definePublicEndpoint<P, Q, B, R extends Responses>(definition: PublicDefinition<P, Q, B, R>): Endpoint {
  return {
    ...definition,
    name: functionName(definition.file),
    auth: "none",
    openEarly: () => undefined,
    run: async (raw, _asker, context) => definition.handler(await parseRequest(definition, raw), context),
  };
}

/**
 * Parses all parts, so that all field errors are reported at once. A malformed path parameter is a 404 like an unknown one: its schema's message
 * says the same.
 */
async function parseRequest<P, Q, B>(shape: Shape<P, Q, B, Responses>, raw: RawRequest): Promise<Request<P, Q, B>> {
  const params = v.safeParse(shape.params, raw.params);
  const query = v.safeParse(shape.query, raw.query);
  const body = v.safeParse(shape.body, raw.body);
  if (!params.success) throw new ServiceError("not_found", params.issues[0].message);
  if (query.success && body.success) return { params: params.output, query: query.output, body: body.output };
  const errors = [...queryErrorsOf(shape.query, raw.query, query.issues), ...errorsOf(shape.body, raw.body, body.issues)];
  const named = new Set(errors.map(({ pointer }) => pointer));
  throw invalidFields([...errors, ...((await shape.faults?.(raw)) ?? []).filter(({ pointer }) => !named.has(pointer))]);
}
