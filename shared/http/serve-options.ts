import type { Config } from "../runtime/config.ts";
import type { Log } from "../runtime/log.ts";
import type { After } from "../runtime/read-bytes.ts";
import type { Authenticate } from "./caller.ts";
import type { Api } from "./define-endpoint.ts";

/** The dependencies of `serve`. Tests pass their own clock and log. */
export interface ServeOptions {
  readonly config: Config;
  readonly authenticate: Authenticate;
  readonly log: Log;
  readonly now: () => Date;
  /** Returns the error text for a path that is not the endpoint's. Default: one without a hint. */
  readonly unknownPath?: (api: Api, path: string) => string;
  /** Timeouts of the key lookup and the handler in milliseconds. Defaults: 10 s, and the endpoint's own timeout. */
  readonly keyMsMax?: number;
  readonly requestMsMax?: number;
  /** The timers over a request's body. Default: those of the process. */
  readonly startTimer?: After;
}
