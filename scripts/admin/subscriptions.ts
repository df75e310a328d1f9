import * as v from "valibot";
import { accountsProjectOf, type PlacedCustomer } from "../../shared/accounts/accounts-project.ts";
import type { Config } from "../../shared/runtime/config.ts";
import { listedDatasetName } from "./dataset-names.ts";
import type { GoogleRest } from "./google-rest.ts";

/** The subscriptions to a customer's listing in Analytics Hub (scenario A): how its own projects read its headcounts. */
export interface Subscriptions {
  /**
   * Revokes all that are active and returns their names. A revoked subscription never works again: after a suspension the customer
   * subscribes anew. None if the customer has no listing. Idempotent.
   */
  readonly revokeAll: (customer: PlacedCustomer) => Promise<string[]>;
}

/** Where the listings are: the projects of the customers' resources, and the environment, which is part of the exchanges' name. */
type Exchanges = Pick<Config, "accountsProjects" | "environment">;

const Page = v.object({
  subscriptions: v.optional(v.array(v.object({ name: v.string(), state: v.optional(v.string()) })), []),
  nextPageToken: v.optional(v.string(), ""),
});

/**
 * Opens Analytics Hub's API.
 * Source: https://cloud.google.com/bigquery/docs/reference/analytics-hub/rest/v1/projects.locations.dataExchanges.listings/listSubscriptions
 */
export function openSubscriptions(config: Exchanges, url: string, rest: GoogleRest): Subscriptions {
  const ask = async (method: "GET" | "POST", path: string): Promise<unknown> => {
    const response = await rest(method, `${url}/v1/${path}`, method === "POST" ? {} : undefined);
    if (response.status === 404) return undefined;
    const answer = await response.text();
    if (!response.ok) throw new Error(`Analytics Hub rejected ${path}: ${response.status} ${answer}`);
    return JSON.parse(answer);
  };
  // Terraform names them so: `terraform/customers/sharing.tf`, and `scenario` A of `infra/generated/customer-views.json`.
  const listingOf = (customer: PlacedCustomer): string =>
    `projects/${accountsProjectOf(config, customer)}/locations/EU/dataExchanges/populus_${config.environment}/listings/${listedDatasetName(customer.uid)}`;
  const active = async (customer: PlacedCustomer): Promise<string[]> => {
    const names: string[] = [];
    let token = "";
    do {
      const after = token === "" ? "" : `?pageToken=${encodeURIComponent(token)}`;
      const answer = await ask("GET", `${listingOf(customer)}:listSubscriptions${after}`);
      if (answer === undefined) return [];
      const page = v.parse(Page, answer);
      names.push(...page.subscriptions.filter(({ state }) => state !== "STATE_INACTIVE").map(({ name }) => name));
      token = page.nextPageToken;
    } while (token !== "");
    return names;
  };
  return {
    revokeAll: async (customer) => {
      const names = await active(customer);
      for (const name of names) await ask("POST", `${name}:revoke`);
      return names;
    },
  };
}
