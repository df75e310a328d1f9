import { IAMCredentialsClient } from "@google-cloud/iam-credentials";
import { Storage } from "@google-cloud/storage";
import * as v from "valibot";
import type { Config } from "../runtime/config.ts";
import { grpcAddress } from "./grpc-address.ts";

/** When a signed URL begins and ends to be valid. Both have no milliseconds. */
export interface Validity {
  readonly from: Date;
  readonly until: Date;
}

export interface UrlSigner {
  /**
   * Returns V4 signed URLs that read objects of the export bucket (full names) with the access of a service account (an email address), in
   * the same order. One request to IAM for each. Throws the client's error.
   */
  readonly sign: (account: string, names: readonly string[], validity: Validity) => Promise<string[]>;
}

/** How many signatures are requested concurrently. */
const AT_ONCE = 10;

/** The signature, decoded: gRPC has bytes. */
const Signed = v.object({ signedBlob: v.instance(Buffer) });

/**
 * The Storage client composes the URLs, and IAM Credentials signs them with the key that Google holds for the account.
 * Source: https://cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/signBlob
 */
export function openUrlSigner(config: Config): UrlSigner {
  const iam = new IAMCredentialsClient({ projectId: config.project, ...grpcAddress(config.addresses.iamCredentials, config.accessToken) });
  const { storage: apiEndpoint } = config.addresses;
  return {
    sign: async (account, names, { from, until }) => {
      let failure: unknown;
      const signText = async (text: string): Promise<string> => {
        try {
          const [answer] = await iam.signBlob({ name: `projects/-/serviceAccounts/${account}`, payload: Buffer.from(text) });
          return v.parse(Signed, answer).signedBlob.toString("base64");
        } catch (error) {
          failure = error;
          throw error;
        }
      };
      const storage = new Storage({ projectId: config.project, ...(apiEndpoint ? { apiEndpoint } : {}) });
      Object.assign(storage.authClient, { getCredentials: async () => ({ client_email: account }), sign: signText });
      const bucket = storage.bucket(config.exportBucket);
      const signOne = async (name: string): Promise<string> => {
        const [url] = await bucket.file(name).getSignedUrl({ version: "v4", action: "read", accessibleAt: from, expires: until });
        return url;
      };
      const urls: string[] = [];
      try {
        for (let first = 0; first < names.length; first += AT_ONCE)
          urls.push(...(await Promise.all(names.slice(first, first + AT_ONCE).map(signOne))));
      } catch (error) {
        // The Storage client keeps only the text of a signer's error.
        throw failure ?? error;
      }
      return urls;
    },
  };
}
