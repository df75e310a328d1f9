import { IAMCredentialsClient } from "@google-cloud/iam-credentials";
import * as v from "valibot";
import { GRPC, statusOf } from "../google/client-error.ts";
import { grpcAddress } from "../google/grpc-address.ts";
import { unavailable } from "../http/errors.ts";
import type { Config } from "../runtime/config.ts";
import type { Profile } from "./login-schemas.ts";

interface AccessToken {
  readonly accessToken: string;
  readonly expireTime: Date;
}

export interface Tokens {
  /** Mints a token of the customer's service account for a profile. Throws `unavailable` when IAM is down or the account is not there yet. */
  readonly mint: (uid: string, profile: Profile) => Promise<AccessToken>;
}

const SCOPES: Record<Profile, string> = {
  storage: "https://www.googleapis.com/auth/devstorage.read_only",
  warehouse: "https://www.googleapis.com/auth/bigquery",
};
const LIFETIME_SECONDS = 3600;

const Minted = v.object({
  accessToken: v.pipe(v.string(), v.minLength(1)),
  expireTime: v.object({ seconds: v.pipe(v.union([v.string(), v.number(), v.instance(Object)]), v.transform(Number)) }),
});

/** The service account of a customer for a profile: Terraform makes it. */
export function serviceAccountOf({ accountsProject }: Pick<Config, "accountsProject">, uid: string, profile: Profile): string {
  return `${profile}-${uid}@${accountsProject}.iam.gserviceaccount.com`;
}

/** The IAM Credentials API. The reach of a token is that of the customer's own service account, never of this service's. */
export function openTokens(config: Config): Tokens {
  const client = new IAMCredentialsClient({ projectId: config.project, ...grpcAddress(config.addresses.iamCredentials) });
  return {
    mint: async (uid, profile) => {
      const account = serviceAccountOf(config, uid, profile);
      try {
        const [response] = await client.generateAccessToken({
          name: `projects/-/serviceAccounts/${account}`,
          scope: [SCOPES[profile]],
          lifetime: { seconds: LIFETIME_SECONDS },
        });
        const { accessToken, expireTime } = v.parse(Minted, response);
        return { accessToken, expireTime: new Date(expireTime.seconds * 1000) };
      } catch (error) {
        const status = statusOf(error);
        if (status === GRPC.notFound || status === GRPC.permissionDenied)
          throw unavailable(`Access to ${profile} is still being set up for this customer; please try again in a minute`, 60, error);
        throw unavailable("Tokens cannot be issued right now; please try again", 5, error);
      }
    },
  };
}
