import { dirname, join } from "node:path";
import { Firestore } from "@google-cloud/firestore";
import type { ApiKey } from "../../../../shared/accounts/api-keys.ts";
import { createCustomer } from "../../../../shared/accounts/customer-lifecycle.ts";
import { DEFAULT_LIMITS } from "../../../../shared/accounts/customers.ts";
import { createKey } from "../../../../shared/accounts/machine-accounts.ts";
import type { Config } from "../../../../shared/runtime/config.ts";
import type { Ready } from "../../ready-file.ts";
import { operatorRequest } from "./operator.ts";

/** A running local service that is being tried, with its configuration, which this process's environment holds too. */
export interface Target {
  readonly ready: Ready;
  readonly config: Config;
}

/** Everything that a key may do: what is refused to it is refused for what was sent. */
const ALL_GRANTS: Pick<ApiKey, "service" | "scopes" | "machineAccountAdmin"> = {
  service: "warehouse",
  scopes: ["realtime"],
  machineAccountAdmin: true,
};

/** A customer of a chosen uid, with the key of a label. */
export interface TriedCustomer {
  readonly uid: string;
  readonly keyLabel: string;
  readonly key: string;
  /** Whether its jobs wait for ever for a place. */
  readonly isWaiting: boolean;
}

interface Tried {
  readonly uid: string;
  readonly keyLabel: string;
  readonly isWaiting?: boolean;
}

const COUNTRIES = ["EST", "LAT", "NOR"];

/** Creates a customer with a uid that the service would not have chosen, one key, and its service accounts. */
export async function createTriedCustomer({ ready, config }: Target, tried: Tried): Promise<TriedCustomer> {
  const { uid, keyLabel, isWaiting = false } = tried;
  const db = new Firestore({ projectId: config.project });
  try {
    const limits = isWaiting ? { limits: { ...DEFAULT_LIMITS, runningJobs: 0 } } : {};
    await createCustomer(db, uid, { name: uid, countries: COUNTRIES, defaultCountry: "EST", ...limits });
    const { environment } = config;
    const { apiKey } = await createKey(db, {
      uid,
      keyLabel,
      environment,
      now: new Date(),
      decide: () => ({ ...ALL_GRANTS, countries: COUNTRIES }),
    });
    for (const profile of ["storage", "warehouse"]) {
      const url = `http://${ready.metadata_host}/v1/projects/${config.accountsProject}/serviceAccounts`;
      await operatorRequest(ready, url, { accountId: `${profile}-${uid}` });
    }
    return { uid, keyLabel, key: apiKey, isWaiting };
  } finally {
    await db.terminate();
  }
}

/** The file that the functions log to. */
export function functionsLog({ ready }: Target): string {
  return join(dirname(ready.countries_file), "functions.log");
}

/** Whether the process of the functions is the one that was there at the start: one that crashed is started anew by the service. */
export function isFunctionsProcessAlive({ ready }: Target): boolean {
  try {
    return process.kill(ready.pids.functions, 0);
  } catch {
    return false;
  }
}
