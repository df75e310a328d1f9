import type { Config } from "../runtime/config.ts";
import type { Log } from "../runtime/log.ts";
import type { Authenticate } from "./caller.ts";

/** What an endpoint is served with; a test brings its own clock and log. */
export interface ServeOptions {
  readonly config: Config;
  readonly authenticate: Authenticate;
  readonly log: Log;
  readonly now: () => Date;
  /** Milliseconds that the search for a key and the handler may take; 10 s and what the endpoint defines when left out. */
  readonly keyMsMax?: number;
  readonly requestMsMax?: number;
}
