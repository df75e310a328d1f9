import { openUrlSigner, type Validity } from "../google/url-signer.ts";
import type { Config } from "../runtime/config.ts";
import { accountUnavailable, serviceAccountOf } from "./access-tokens.ts";
import type { PlacedCustomer } from "./accounts-project.ts";

export interface SignedUrls {
  /**
   * Returns URLs that read objects of the export bucket (full names), with the access of the customer's storage account. Throws
   * `unavailable` when IAM is down or the account is missing.
   */
  readonly sign: (customer: PlacedCustomer, names: readonly string[], validity: Validity) => Promise<string[]>;
}

/** Opens the issuer of signed URLs. A URL opens what the customer's storage token opens, one object at a time. */
export function openSignedUrls(config: Config): SignedUrls {
  const signer = openUrlSigner(config);
  return {
    sign: async (customer, names, validity) => {
      try {
        return await signer.sign(serviceAccountOf(config, customer, "storage"), names, validity);
      } catch (error) {
        throw accountUnavailable(error, "storage", "URLs cannot be signed right now; please try again");
      }
    },
  };
}
