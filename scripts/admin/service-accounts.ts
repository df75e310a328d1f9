import * as v from "valibot";
import { serviceAccountOf } from "../../shared/accounts/access-tokens.ts";
import { PROFILES } from "../../shared/accounts/key-grants.ts";
import type { Config } from "../../shared/runtime/config.ts";
import type { GoogleRest } from "./google-rest.ts";

/** The service accounts behind a customer's tokens, one per profile. In the cloud, Terraform creates them. */
export interface ServiceAccounts {
  /**
   * Enables or disables them. While disabled, they mint no tokens and existing tokens stop working, which takes Google some minutes.
   * Returns the existing accounts.
   */
  readonly setEnabled: (uid: string, isEnabled: boolean) => Promise<string[]>;
  /** Returns the accounts that do not exist or are disabled. */
  readonly missing: (uid: string) => Promise<string[]>;
}

const Account = v.object({ disabled: v.optional(v.boolean(), false) });

/** Opens IAM's admin API. Source: https://cloud.google.com/iam/docs/reference/rest/v1/projects.serviceAccounts */
export function openServiceAccounts(config: Pick<Config, "accountsProject">, url: string, rest: GoogleRest): ServiceAccounts {
  const ask = async (method: "GET" | "POST", account: string, verb = ""): Promise<unknown> => {
    const response = await rest(method, `${url}/v1/projects/-/serviceAccounts/${account}${verb}`);
    if (response.status === 404) return undefined;
    const answer = await response.text();
    if (!response.ok) throw new Error(`IAM rejected ${account}${verb}: ${response.status} ${answer}`);
    return JSON.parse(answer);
  };
  const each = (uid: string) => PROFILES.map((profile) => serviceAccountOf(config, uid, profile));
  return {
    setEnabled: async (uid, isEnabled) => {
      const switched: string[] = [];
      for (const account of each(uid))
        if ((await ask("POST", account, isEnabled ? ":enable" : ":disable")) !== undefined) switched.push(account);
      return switched;
    },
    missing: async (uid) => {
      const missing: string[] = [];
      for (const account of each(uid)) {
        const found = await ask("GET", account);
        if (found === undefined || v.parse(Account, found).disabled) missing.push(account);
      }
      return missing;
    },
  };
}
