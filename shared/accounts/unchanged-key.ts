import { ServiceError } from "../http/errors.ts";
import type { KeyUnchanged } from "./keys-admin.ts";
import { NO_SUCH_ACCOUNT } from "./machine-account-schemas.ts";

/** Returns the error for a machine account that its customer's admin could not change. */
export function unchangedKey(reason: KeyUnchanged): ServiceError {
  if (reason === "absent") return new ServiceError("not_found", NO_SUCH_ACCOUNT);
  return new ServiceError(
    "conflict",
    "This is the last machine account with admin access; give that access to another one first, which support does",
  );
}
