import { dirname, join } from "node:path";
import { Firestore } from "@google-cloud/firestore";
import type { ApiKey } from "../../../shared/accounts/api-keys.ts";
import { createCustomer } from "../../../shared/accounts/customer-lifecycle.ts";
import { DEFAULT_LIMITS } from "../../../shared/accounts/customers.ts";
import { createKey } from "../../../shared/accounts/machine-accounts.ts";
import type { Config } from "../../../shared/runtime/config.ts";
import type { Ready } from "../../local/ready-file.ts";
import { operatorRequest } from "./operator.ts";

/** The running local service under test, with its configuration, which this process's environment also holds. */
export interface Target {
  readonly ready: Ready;
  readonly config: Config;
}

/** All grants, so that every refusal is due to the request itself. */
const ALL_GRANTS: Pick<ApiKey, "service" | "scopes" | "machineAccountAdmin"> = {
  service: "warehouse",
  scopes: ["realtime"],
  machineAccountAdmin: true,
};

/** The customer's admin may give its keys all of them. */
const ALLOW = { scopes: ["realtime"], profiles: ["storage", "warehouse"] } as const;

/** A customer with a chosen uid and one key. */
export interface TriedCustomer {
  readonly uid: string;
  readonly keyLabel: string;
  readonly key: string;
  /** Whether its jobs never get a slot. */
  readonly isWaiting: boolean;
}

interface Tried {
  readonly uid: string;
  readonly keyLabel: string;
  readonly isWaiting?: boolean;
}

const COUNTRIES = ["EST", "LAT", "NOR"];

/** Creates a customer with a uid that the service would not generate, one key, and its service accounts. */
export async function createTriedCustomer({ ready, config }: Target, tried: Tried): Promise<TriedCustomer> {
  const { uid, keyLabel, isWaiting = false } = tried;
  const db = new Firestore({ projectId: config.project });
  try {
    const limits = isWaiting ? { limits: { ...DEFAULT_LIMITS, runningJobs: 0 } } : {};
    await createCustomer(db, uid, { name: uid, countries: COUNTRIES, defaultCountry: "EST", allow: ALLOW, ...limits });
    const { environment } = config;
    const { apiKey } = await createKey(db, {
      uid,
      keyLabel,
      environment,
      now: new Date(),
      decide: () => ({ ...ALL_GRANTS, countries: COUNTRIES }),
    });
    for (const profile of ["storage", "warehouse"]) {
      const url = `http://${ready.metadata_host}/v1/projects/${config.accountsProjects[0]}/serviceAccounts`;
      await operatorRequest(ready, url, { accountId: `${profile}-${uid}` });
    }
    return { uid, keyLabel, key: apiKey, isWaiting };
  } finally {
    await db.terminate();
  }
}

/** Returns the functions' log file. */
export function functionsLog({ ready }: Target): string {
  return join(dirname(ready.countries_file), "functions.log");
}

/** Returns whether the functions' process is still the initial one: the service restarts a crashed process. */
export function isFunctionsProcessAlive({ ready }: Target): boolean {
  try {
    return process.kill(ready.pids.functions, 0);
  } catch {
    return false;
  }
}
