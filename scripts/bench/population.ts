import type { Firestore } from "@google-cloud/firestore";
import { functionsConfig } from "../../infra/local/functions-environment.ts";
import { createCustomer, newUid } from "../../shared/accounts/customer-lifecycle.ts";
import { DEFAULT_LIMITS } from "../../shared/accounts/customers.ts";
import { createKey } from "../../shared/accounts/machine-accounts.ts";
import { concurrently } from "./measure.ts";

/** A customer of a benchmark, with a key for the Realtime endpoints and jobs. */
export interface Inhabitant {
  readonly uid: string;
  readonly key: string;
}

const WIDTH = 16;

/** Creates customers past the meters, without their service accounts: only logins need these. */
export async function addCustomers(db: Firestore, project: string, count: number): Promise<Inhabitant[]> {
  const { environment } = functionsConfig(project);
  const made: Inhabitant[] = [];
  await concurrently(count, WIDTH, async () => {
    const uid = newUid();
    await createCustomer(db, uid, {
      name: "Population",
      countries: ["EST"],
      defaultCountry: "EST",
      // Nothing of a benchmark ends at a quota.
      limits: { ...DEFAULT_LIMITS, exportsPerDay: 1e6, bytesPerDay: 1e15 },
    });
    const decide = () => ({ service: "storage", scopes: ["realtime"], machineAccountAdmin: false, countries: ["EST"] }) as const;
    const { apiKey } = await createKey(db, { uid, keyLabel: "main", environment, now: new Date(), decide });
    made.push({ uid, key: apiKey });
  });
  return made;
}
