import * as v from "valibot";
import { serviceAccountIn } from "../../shared/accounts/access-tokens.ts";
import { accountsProjectOf, type PlacedCustomer } from "../../shared/accounts/accounts-project.ts";
import { PROFILES } from "../../shared/accounts/key-grants.ts";
import type { Config } from "../../shared/runtime/config.ts";
import type { GoogleRest } from "./google-rest.ts";

/** The service accounts behind a customer's tokens, one per profile. In the cloud, Terraform creates them. */
export interface ServiceAccounts {
  /**
   * Enables or disables them. While disabled, they mint no tokens and existing tokens stop working, which takes Google some minutes.
   * Returns the existing accounts. Of a customer whose record is gone, those in any project.
   */
  readonly setEnabled: (customer: PlacedCustomer | { readonly removed: string }, isEnabled: boolean) => Promise<string[]>;
  /** Returns the accounts that do not exist or are disabled. */
  readonly missing: (customer: PlacedCustomer) => Promise<string[]>;
}

const Account = v.object({ disabled: v.optional(v.boolean(), false) });

/** Opens IAM's admin API. Source: https://cloud.google.com/iam/docs/reference/rest/v1/projects.serviceAccounts */
export function openServiceAccounts(config: Pick<Config, "accountsProjects">, url: string, rest: GoogleRest): ServiceAccounts {
  const ask = async (method: "GET" | "POST", account: string, verb = ""): Promise<unknown> => {
    const response = await rest(method, `${url}/v1/projects/-/serviceAccounts/${account}${verb}`);
    if (response.status === 404) return undefined;
    const answer = await response.text();
    if (!response.ok) throw new Error(`IAM rejected ${account}${verb}: ${response.status} ${answer}`);
    return JSON.parse(answer);
  };
  const each = (uid: string, projects: readonly string[]) =>
    projects.flatMap((project) => PROFILES.map((profile) => serviceAccountIn(project, uid, profile)));
  const accountsOf = (customer: PlacedCustomer | { readonly removed: string }) =>
    "removed" in customer ? each(customer.removed, config.accountsProjects) : each(customer.uid, [accountsProjectOf(config, customer)]);
  return {
    setEnabled: async (customer, isEnabled) => {
      const switched: string[] = [];
      for (const account of accountsOf(customer))
        if ((await ask("POST", account, isEnabled ? ":enable" : ":disable")) !== undefined) switched.push(account);
      return switched;
    },
    missing: async (customer) => {
      const missing: string[] = [];
      for (const account of accountsOf(customer)) {
        const found = await ask("GET", account);
        if (found === undefined || v.parse(Account, found).disabled) missing.push(account);
      }
      return missing;
    },
  };
}
