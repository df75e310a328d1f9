import { type Metadata, status } from "@grpc/grpc-js";
import { authorizationOf } from "../iam/authorization.ts";
import { bearerToken } from "../iam/bearer-token.ts";
import { assertGranted, type Needed, restrictedCaller } from "../iam/caller.ts";
import type { Identity } from "../identity.ts";
import { RpcError } from "../tasks/wire/rpc-error.ts";
import type { Write } from "./wire.ts";

/** The permissions of Firestore that the methods need. Source: https://cloud.google.com/firestore/docs/security/iam#permissions */
export type Permission = "databases.get" | `entities.${"get" | "list" | "create" | "update" | "delete"}`;

/** Throws PERMISSION_DENIED unless the caller may do all of this in a database, by its full name. */
export type Authorise = (metadata: Metadata, database: string, permissions: readonly Permission[]) => void;

export const READ: readonly Permission[] = ["entities.get"];
export const QUERY: readonly Permission[] = ["entities.get", "entities.list"];
export const LIST: readonly Permission[] = ["entities.list"];
export const TRANSACT: readonly Permission[] = ["databases.get"];

/** Returns the permissions that writes need. A write that says nothing of what must be there may create or update. */
export function permissionsOf(writes: readonly Write[]): Permission[] {
  return writes.length === 0 ? ["databases.get"] : [...new Set(writes.flatMap(permissionsOfWrite))];
}

function permissionsOfWrite({ delete: deleted, currentDocument }: Write): readonly Permission[] {
  if (deleted) return ["entities.delete"];
  if (currentDocument?.exists === false) return ["entities.create"];
  if (currentDocument?.exists === true || currentDocument?.updateTime) return ["entities.update"];
  return ["entities.create", "entities.update"];
}

/** Returns the check of the local Firestore. Who presents no token of a function may do everything, as in Google's emulator. */
export function authoriser(identity: Identity | undefined): Authorise {
  return (metadata, database, permissions) => {
    const caller = restrictedCaller(identity, authorizationOf(metadata));
    const on = `database:${identity?.databaseInGrants(database.split("/")[3] ?? "") ?? ""}`;
    const needs: readonly Needed[] = permissions.map((permission) => ({ permission: `datastore.${permission}`, on }));
    assertGranted(
      caller,
      needs,
      ({ permission }) =>
        `Missing or insufficient permissions. Permission '${permission}' denied on resource '${database}' (or it may not exist).`,
    );
  };
}

/**
 * Throws unless the caller may delete all documents of a database: it needs a token of an unrestricted account, or "owner", as with Google's emulator.
 * Unlike gRPC, HTTP is what web pages speak: no token is not enough. Without an identity everybody may.
 */
export function assertMayClear(identity: Identity | undefined, authorization: string | undefined): void {
  if (identity === undefined) return;
  if (bearerToken(authorization) === undefined)
    throw new RpcError(
      status.UNAUTHENTICATED,
      "Deleting all documents needs an operator's token, or the emulator's: Authorization: Bearer owner.",
    );
  if (restrictedCaller(identity, authorization) !== undefined)
    throw new RpcError(status.PERMISSION_DENIED, "Missing or insufficient permissions to delete all documents.");
}
