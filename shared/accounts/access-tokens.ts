import { errorStatus, GRPC } from "../google/client-error.ts";
import { type AccessToken, openIamCredentials } from "../google/iam-credentials.ts";
import { type ServiceError, unavailable } from "../http/errors.ts";
import type { Config } from "../runtime/config.ts";
import { accountsProjectOf, type PlacedCustomer } from "./accounts-project.ts";
import type { Profile } from "./login-schemas.ts";

export interface Tokens {
  /** Mints a token of the customer's service account for a profile. Throws `unavailable` when IAM is down or the account is missing. */
  readonly mint: (customer: PlacedCustomer, profile: Profile) => Promise<AccessToken>;
}

const OAUTH_SCOPES: Record<Profile, string> = {
  storage: "https://www.googleapis.com/auth/devstorage.read_only",
  warehouse: "https://www.googleapis.com/auth/bigquery",
};

/** Returns the email of a customer's service account for a profile. Terraform creates the account. */
export function serviceAccountOf(config: Pick<Config, "accountsProjects">, customer: PlacedCustomer, profile: Profile): string {
  return serviceAccountIn(accountsProjectOf(config, customer), customer.uid, profile);
}

/** Returns the email of a customer's service account in a project. */
export function serviceAccountIn(project: string, uid: string, profile: Profile): string {
  return `${profile}-${uid}@${project}.iam.gserviceaccount.com`;
}

/** Opens the issuer of customers' tokens. A token has the access of the customer's own service account, never of this service's. */
export function openTokens(config: Config): Tokens {
  const credentials = openIamCredentials(config);
  return {
    mint: async (customer, profile) => {
      try {
        return await credentials.generateAccessToken(serviceAccountOf(config, customer, profile), OAUTH_SCOPES[profile]);
      } catch (error) {
        throw accountUnavailable(error, profile, "Tokens cannot be issued right now; please try again");
      }
    },
  };
}

/** Converts an error of IAM Credentials to `unavailable`: the customer's account is missing, or else `down`. */
export function accountUnavailable(error: unknown, profile: Profile, down: string): ServiceError {
  const status = errorStatus(error);
  return status === GRPC.notFound || status === GRPC.permissionDenied
    ? unavailable(`Access to ${profile} is still being set up for this customer; please try again in a minute`, 60, error)
    : unavailable(down, 5, error);
}
