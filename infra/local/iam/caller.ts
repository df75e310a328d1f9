import { status } from "@grpc/grpc-js";
import { roleOf } from "../access.ts";
import type { Identity } from "../identity.ts";
import { RpcError } from "../tasks/wire/rpc-error.ts";
import { bearerToken } from "./bearer-token.ts";
import { isGranted } from "./roles.ts";

/** A permission on a resource, as `isGranted` takes it, and the resource's name in errors. */
export interface Needed {
  readonly permission: string;
  readonly on: string;
}

/**
 * Returns who calls, with its grants: a function, or an account of a customer, which has none. Undefined for the service's own accounts and for
 * tools and tests, which call without a token, or with "owner", as with Google's emulators. Throws UNAUTHENTICATED for a token that is not valid.
 */
export function restrictedCaller(identity: Identity | undefined, authorization: string | undefined): Restricted | undefined {
  const token = bearerToken(authorization);
  if (identity === undefined || token === undefined || token === "owner") return undefined;
  const principal = identity.verify(token);
  if (!principal) throw new RpcError(status.UNAUTHENTICATED, "Request had invalid authentication credentials.");
  const role = roleOf(principal);
  if (role.kind === "function") return { grants: role.grants };
  return role.kind === "storage-reader" || role.kind === "warehouse-reader" ? { grants: [] } : undefined;
}

interface Restricted {
  readonly grants: readonly string[];
}

/** Throws PERMISSION_DENIED with `refusal` of the first permission that a restricted caller lacks. */
export function assertGranted(caller: Restricted | undefined, needs: readonly Needed[], refusal: (lacking: Needed) => string): void {
  const lacking = caller && needs.find(({ permission, on }) => !isGranted(caller.grants, permission, on));
  if (lacking) throw new RpcError(status.PERMISSION_DENIED, refusal(lacking));
}
