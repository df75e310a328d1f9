import { IAMCredentialsClient } from "@google-cloud/iam-credentials";
import * as v from "valibot";
import type { Config } from "../runtime/config.ts";
import { grpcAddress } from "./grpc-address.ts";

/** An OAuth access token of a service account. */
export interface AccessToken {
  readonly accessToken: string;
  readonly expireTime: Date;
}

export interface IamCredentials {
  /** Mints a token for a service account (an email address) and one OAuth scope. Throws the client's error. */
  readonly generateAccessToken: (account: string, scope: string) => Promise<AccessToken>;
}

const LIFETIME_SECONDS = 3600;

const Generated = v.object({
  accessToken: v.pipe(v.string(), v.minLength(1)),
  expireTime: v.object({ seconds: v.pipe(v.union([v.string(), v.number(), v.instance(Object)]), v.transform(Number)) }),
});

/** The IAM Credentials API. Source: https://cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken */
export function openIamCredentials(config: Config): IamCredentials {
  const client = new IAMCredentialsClient({
    projectId: config.project,
    ...grpcAddress(config.addresses.iamCredentials, config.accessToken),
  });
  return {
    generateAccessToken: async (account, scope) => {
      const [response] = await client.generateAccessToken({
        name: `projects/-/serviceAccounts/${account}`,
        scope: [scope],
        lifetime: { seconds: LIFETIME_SECONDS },
      });
      const { accessToken, expireTime } = v.parse(Generated, response);
      return { accessToken, expireTime: new Date(expireTime.seconds * 1000) };
    },
  };
}
