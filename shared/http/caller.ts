import * as v from "valibot";
import { PROFILES } from "../accounts/login-schemas.ts";

export const SCOPES = ["realtime"] as const;

/** A key as it is stored, under its hash: all that a request needs to be authorised. */
export const ApiKey = v.object({
  uid: v.string(),
  keyLabel: v.string(),
  service: v.picklist(PROFILES),
  scopes: v.pipe(v.array(v.picklist(SCOPES)), v.readonly()),
  countries: v.pipe(v.array(v.string()), v.readonly()),
  defaultCountry: v.string(),
  machineAccountAdmin: v.boolean(),
  /** Whether its customer is suspended: kept in step with the customer's status, so that a request needs no second read. */
  suspended: v.optional(v.boolean()),
});
export type ApiKey = v.InferOutput<typeof ApiKey>;

/** Who calls: ownership comes from here, never from the request. `keyHint`: the first six characters of the key, for the audit. */
export type Caller = ApiKey & { readonly keyHint: string };
