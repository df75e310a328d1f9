import { Server, status } from "@grpc/grpc-js";
import * as v from "valibot";
import type { Identity } from "../identity.ts";
import type { LocalServer } from "../server.ts";
import { bindLoopback, loadServices, unary } from "../tasks/wire/grpc-service.ts";
import { bytes, duration, message, strings, text, toProtoTime } from "../tasks/wire/message-fields.ts";
import { RpcError } from "../tasks/wire/rpc-error.ts";
import { tryMint, trySign } from "./accounts.ts";
import { assertGranted, restrictedCaller } from "./caller.ts";

export interface IamOptions {
  /** The port. 0 or absent: a free one. */
  readonly port?: number;
  readonly identity: Identity;
}

const LIFETIME_MAX_MS = 3_600_000;
const SCOPE = /^https:\/\/www\.googleapis\.com\/auth\/[\w./-]+$/;

const PREFIX = "projects/-/serviceAccounts/";
const AccountName = v.pipe(
  text,
  v.regex(/^projects\/-\/serviceAccounts\/[^/]+$/, 'must be "projects/-/serviceAccounts/{ACCOUNT_EMAIL_OR_UNIQUEID}"'),
  v.transform((name) => name.slice(PREFIX.length)),
);

const SignBlob = message({ name: AccountName, payload: v.pipe(bytes, v.minLength(1, "The payload is required.")) });

const GenerateAccessToken = message({
  name: AccountName,
  scope: v.pipe(
    strings,
    v.minLength(1, "At least one scope is required."),
    v.everyItem((scope) => SCOPE.test(scope), "Invalid OAuth scope or ID token audience provided."),
  ),
  lifetime: v.optional(duration, "3600s"),
});

/**
 * Serves google.iam.credentials.v1.IAMCredentials to the real client: GenerateAccessToken and SignBlob, without delegates. All other
 * methods return UNIMPLEMENTED. Rejects if the port is taken.
 */
export async function startIam({ port = 0, identity }: IamOptions): Promise<LocalServer> {
  const service = loadServices("@google-cloud/iam-credentials", "google/iam/credentials/v1/iamcredentials.proto");
  const assertMay = (act: "getAccessToken" | "signBlob", email: string, authorization: string | undefined): void =>
    assertGranted(
      restrictedCaller(identity, authorization),
      [{ permission: `iam.serviceAccounts.${act}`, on: act === "signBlob" ? storageAccountOf(email) : accountOf(email) }],
      ({ permission }) => `Permission '${permission}' denied on resource (or it may not exist).`,
    );
  const server = new Server();
  server.addService(service("google.iam.credentials.v1.IAMCredentials"), {
    generateAccessToken: unary(GenerateAccessToken, ({ name: email, scope, lifetime }, _signal, authorization) => {
      assertMay("getAccessToken", email, authorization);
      if (lifetime <= 0 || lifetime > LIFETIME_MAX_MS)
        throw new RpcError(status.INVALID_ARGUMENT, "The lifetime must be more than 0s and at most 3600s.");
      const minted = tryMint(identity, email, scope, lifetime / 1000);
      if (minted === "unknown" || minted === "disabled") throw refusal(minted, email);
      return { accessToken: minted.accessToken, expireTime: toProtoTime(minted.expireTime.getTime()) };
    }),
    signBlob: unary(SignBlob, async ({ name: email, payload }, _signal, authorization) => {
      assertMay("signBlob", email, authorization);
      const signed = await trySign(identity, email, payload);
      if (signed === "unknown" || signed === "disabled") throw refusal(signed, email);
      return { keyId: signed.keyId, signedBlob: signed.signature };
    }),
  });
  const address = await bindLoopback(server, port);
  return {
    address,
    async close() {
      server.forceShutdown();
    },
  };
}

/** The resource of grants that a service account is: one of the customers', or none. */
function accountOf(email: string): string {
  return /^(storage|warehouse)-/.test(email) ? "customer_accounts" : email;
}

function storageAccountOf(email: string): string {
  return email.startsWith("storage-") ? "customer_storage_accounts" : email;
}

function refusal(reason: "unknown" | "disabled", email: string): RpcError {
  return reason === "unknown"
    ? new RpcError(status.NOT_FOUND, `Not found; Gaia id not found for email ${email}`)
    : new RpcError(status.FAILED_PRECONDITION, `Service account ${email} is disabled.`);
}
