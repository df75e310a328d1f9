import * as v from "valibot";
import type { AuditEntry } from "../runtime/audit.ts";
import type { Config } from "../runtime/config.ts";
import { functionName } from "../runtime/function-name.ts";
import type { Log } from "../runtime/log.ts";
import type { Caller } from "./caller.ts";
import type { BestEffort } from "./dependency-errors.ts";
import { invalidFields, ServiceError } from "./errors.ts";
import { errorsOf } from "./field-errors.ts";
import type { RequestHeader, ResponseHeader } from "./headers.ts";
import type { Schema } from "./schema.ts";

export type Api = "users" | "data";
type Method = "GET" | "POST" | "PUT" | "DELETE";

/** What a key must hold beyond being alive; `none` asks for no key. */
export type Auth = "none" | { readonly scope?: "realtime"; readonly machineAccountAdmin?: true };

/** The part of a request that has no members; anything there is refused. */
export const noInput = v.optional(v.strictObject({}), {});

/** What every handler gets besides the parsed request. The clock and the ids are injected. */
interface HandlerContext {
  readonly config: Config;
  readonly log: Log;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Writes an audit entry of the caller's: what was done, and to what. */
  readonly audit: (action: AuditEntry["action"], subject?: string) => void;
  /** For what the answer does not depend on, and the sweeper does if it fails: it is waited for a part of the time that the request has. */
  readonly bestEffort: BestEffort;
  /** A header of the request, by its lower-case name. */
  readonly header: (name: string) => string | undefined;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A reply with its status as a type, so that its body is checked against the schema of that status. */
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

/** The members of a request before they are parsed. */
interface RawRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

interface Shape<P, Q, B, R> {
  /** Folder and file below `functions/`, for example `aggregation/submit`. */
  readonly file: string;
  readonly api: Api;
  readonly method: Method;
  /** `{name}` stands for one segment. */
  readonly path: string;
  readonly summary: string;
  readonly params: Schema<P>;
  readonly query: Schema<Q>;
  /** An optional schema makes the body optional. */
  readonly body: Schema<B>;
  /** One schema for each status of success. */
  readonly responses: R;
  /** How long the handler may take, in seconds; 12 when left out. Only for what waits for long work, not for a service that is silent. */
  readonly secondsMax?: number;
  /** Headers that the handler reads, and those that it sends, by status; beside the key and `x-request-id`. */
  readonly requestHeaders?: readonly RequestHeader[];
  readonly responseHeaders?: Readonly<Record<number, readonly ResponseHeader[]>>;
}

/** An endpoint as the machinery sees it: data, and one way to run it. */
export interface Endpoint extends Shape<unknown, unknown, unknown, Responses> {
  /** The function's name in every environment: its file with a dash. */
  readonly name: string;
  readonly auth: Auth;
  /** Parses the request, runs the handler and parses its answer. Throws `ServiceError` for what is the caller's fault. */
  readonly run: (request: RawRequest, caller: Caller | undefined, context: HandlerContext) => Promise<Reply>;
}

interface Request<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

interface Definition<P, Q, B, R extends Responses, U> extends Shape<P, Q, B, R> {
  readonly auth: Exclude<Auth, "none">;
  /** Opens the stores and clients that the handler uses; called once a process, at the first request. */
  readonly dependencies: (config: Config) => U;
  readonly handler: (request: Request<P, Q, B> & { readonly caller: Caller }, uses: U, context: HandlerContext) => Promise<ReplyOf<R>>;
}

/** Defines an endpoint that is called with a key. Returns its argument with `run`, so that tests can call `handler` with stand-ins. */
export function defineEndpoint<P, Q, B, R extends Responses, U>(
  definition: Definition<P, Q, B, R, U>,
): Definition<P, Q, B, R, U> & Endpoint {
  let uses: U | undefined;
  return {
    ...definition,
    name: functionName(definition.file),
    run: async (raw, caller, context) => {
      if (!caller) throw new Error(`${definition.file} ran without a caller`);
      const request = parseRequest(definition, raw);
      uses ??= definition.dependencies(context.config);
      return definition.handler({ ...request, caller }, uses, context);
    },
  };
}

interface PublicDefinition<P, Q, B, R extends Responses> extends Shape<P, Q, B, R> {
  readonly handler: (request: Request<P, Q, B>) => Promise<ReplyOf<R>>;
}

/** Defines an endpoint that is open to everybody. */
export function definePublicEndpoint<P, Q, B, R extends Responses>(definition: PublicDefinition<P, Q, B, R>): Endpoint {
  return {
    ...definition,
    name: functionName(definition.file),
    auth: "none",
    run: async (raw) => definition.handler(parseRequest(definition, raw)),
  };
}

/** Parses all members, so that all field errors are reported at once. A malformed path is a 404, as an unknown one is. */
function parseRequest<P, Q, B>(shape: Shape<P, Q, B, Responses>, raw: RawRequest): Request<P, Q, B> {
  const params = v.safeParse(shape.params, raw.params);
  const query = v.safeParse(shape.query, raw.query);
  const body = v.safeParse(shape.body, raw.body);
  if (!params.success) throw new ServiceError("not_found", "There is no such thing");
  if (query.success && body.success) return { params: params.output, query: query.output, body: body.output };
  throw invalidFields([...errorsOf(shape.query, raw.query, query.issues), ...errorsOf(shape.body, raw.body, body.issues)]);
}
