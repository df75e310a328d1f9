import type { Caller } from "../http/caller.ts";
import { ServiceError } from "../http/errors.ts";
import { NO_SUCH_CUSTOMER } from "./machine-account-schemas.ts";

/** Throws `not_found` unless the path names the caller's own customer. It does not reveal whether another customer exists. */
export function requireOwn(uid: string, caller: Caller): void {
  if (uid !== caller.uid) throw new ServiceError("not_found", NO_SUCH_CUSTOMER);
}
