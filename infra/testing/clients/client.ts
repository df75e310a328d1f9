import type { Ready } from "../../local/ready-file.ts";

/** A client that customers hold, and what must work with it. */
export interface Client {
  /** Its name on the command line, in the table and in the blocks of pages: lower case, with hyphens. */
  readonly name: string;
  readonly tool: Tool;
  readonly checks: readonly Check[];
}

/** What a client runs on: a command of the machine, or packages that are installed in a folder of the cache. */
export interface Tool {
  /** Finds it, and installs it if it can be installed. Says why when it is not there. Never throws. */
  find(): Promise<Found>;
}

export type Found = { readonly found: true } | { readonly found: false; readonly missing: string };

/** One thing that must work with a client. */
export interface Check {
  readonly name: string;
  /** Whether `./scripts/test` runs it, too. All quick checks together take about a minute. */
  readonly quick: boolean;
  /** Throws an Error that says what went wrong, with the client's own output. */
  run(context: CheckContext): Promise<void>;
}

/** What a check works with. */
export interface CheckContext {
  /** Addresses of the running service. */
  readonly ready: Ready;
  /** The variables of its functions. */
  readonly environment: Readonly<Record<string, string>>;
  readonly customer: CheckedCustomer;
  /** Another customer's dataset and uid, to be refused. */
  readonly other: { readonly uid: string; readonly dataset: string };
  /** An empty folder of this check, removed after it. */
  readonly folder: string;
}

/** The customer whose credentials the clients use. It monitors one map, which has one headcount. */
export interface CheckedCustomer {
  readonly uid: string;
  /** API keys by label. */
  readonly keys: Readonly<Record<string, string>>;
  /** The customer's dataset in the warehouse. */
  readonly dataset: string;
  /** The monitored map. */
  readonly mapId: string;
  readonly storageToken: string;
  readonly warehouseToken: string;
}
