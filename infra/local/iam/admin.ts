import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { status } from "@grpc/grpc-js";
import * as v from "valibot";
import { roleOf } from "../access.ts";
import { isDiskFull } from "../disk-full.ts";
import { type Identity, SCOPES } from "../identity.ts";
import { readFields } from "../tasks/wire/json-http.ts";
import { message, parseRequest, text } from "../tasks/wire/message-fields.ts";
import { RpcError } from "../tasks/wire/rpc-error.ts";
import { tryMint } from "./accounts.ts";
import { bearerToken } from "./bearer-token.ts";

const PATH = /^\/v1\/projects\/([^/]+)\/serviceAccounts(?:\/([^/:]+)(:\w+)?)?$/;

const CreateServiceAccount = message({
  accountId: v.pipe(
    text,
    v.regex(/^[a-z][a-z0-9-]{4,28}[a-z0-9]$/, "must be 6 to 30 lowercase letters, digits and hyphens, starting with a letter"),
  ),
  serviceAccount: v.optional(message({ displayName: text, description: text })),
});

export interface IamAdminContext {
  readonly identity: Identity;
  readonly project: string;
}

/** Whether a decoded path belongs to the IAM Admin API. */
export function isIamAdmin(path: string): boolean {
  return PATH.test(path);
}

/**
 * Serves the part of the IAM Admin API (v1) that onboarding needs: create, get, disable and enable a service account. `path` is the decoded
 * path of the request. The caller needs a bearer token of the service's own account. Rejects with an `RpcError`.
 */
export async function iamAdmin(request: IncomingMessage, path: string, { identity, project }: IamAdminContext): Promise<object> {
  authorise(request, identity);
  const [, named = "", email, verb = ""] = PATH.exec(path) ?? [];
  const fields = await readFields(request);
  if (named !== project && !(named === "-" && email))
    throw new RpcError(status.PERMISSION_DENIED, `Permission denied on resource project ${named}.`);
  const method = `${request.method} ${email === undefined ? "" : "*"}${verb}`;
  if (method === "POST ") return create(parseRequest(CreateServiceAccount, fields).accountId, identity, project);
  if (email === undefined || !["GET *", "POST *:disable", "POST *:enable"].includes(method))
    throw new RpcError(status.UNIMPLEMENTED, "The local IAM does not serve this method.");
  if (!identity.hasAccount(email)) throw new RpcError(status.NOT_FOUND, `Unknown service account: ${email}`);
  if (method === "GET *") return resource(email, identity, project);
  keep(() => identity.setDisabled(email, method === "POST *:disable"));
  return {};
}

/** Changes an account. Throws UNAVAILABLE if the disk is full. */
function keep(change: () => void): void {
  try {
    change();
  } catch (error) {
    throw isDiskFull(error) ? new RpcError(status.UNAVAILABLE, "The service is currently unavailable: its disk is full.") : error;
  }
}

function create(accountId: string, identity: Identity, project: string): object {
  const email = `${accountId}@${project}.iam.gserviceaccount.com`;
  if (identity.hasAccount(email))
    throw new RpcError(status.ALREADY_EXISTS, `Service account ${accountId} already exists within project projects/${project}.`);
  keep(() => identity.addAccount(email));
  return resource(email, identity, project);
}

function resource(email: string, identity: Identity, project: string): object {
  return {
    name: `projects/${project}/serviceAccounts/${email}`,
    projectId: project,
    uniqueId: BigInt(`0x${createHash("sha256").update(email).digest("hex").slice(0, 17)}`)
      .toString()
      .padStart(21, "1"),
    email,
    // Minting is the only way to read the state. A token without lifetime is harmless.
    ...(tryMint(identity, email, [], 0) === "disabled" && { disabled: true }),
  };
}

function authorise(request: IncomingMessage, identity: Identity): void {
  const token = bearerToken(request.headers.authorization);
  const principal = token === undefined ? undefined : identity.verify(token);
  if (principal === undefined)
    throw new RpcError(
      status.UNAUTHENTICATED,
      "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.",
    );
  if (!principal.scopes.includes(SCOPES.cloudPlatform))
    throw new RpcError(status.PERMISSION_DENIED, "Request had insufficient authentication scopes.");
  if (roleOf(principal).kind !== "service") throw new RpcError(status.PERMISSION_DENIED, "The caller does not have permission");
}
