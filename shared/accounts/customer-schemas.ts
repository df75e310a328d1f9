import * as v from "valibot";
import { SCOPES } from "./key-grants.ts";
import { Profile } from "./login-schemas.ts";

const Count = v.pipe(v.number(), v.integer());

/** A customer's personal dataset in the provider's warehouse. */
export const PersonalDatasetResponse = v.strictObject({
  state: v.pipe(v.picklist(["none", "requested", "ready"]), v.description("requested: the operator will create it")),
  dataset: v.pipe(v.nullable(v.string()), v.description("The name of the dataset; null until it is ready")),
});

/** A key and its customer, for the holder of the key. */
export const MeResponse = v.strictObject({
  uid: v.string(),
  name: v.pipe(v.string(), v.description("The name of the customer")),
  keyLabel: v.string(),
  service: Profile,
  scopes: v.array(v.picklist(SCOPES)),
  countries: v.pipe(v.array(v.string()), v.description("The countries whose data the key can query")),
  defaultCountry: v.pipe(v.string(), v.description("The country of requests that name none")),
  machineAccountAdmin: v.boolean(),
  allow: v.pipe(
    v.strictObject({ scopes: v.array(v.picklist(SCOPES)), profiles: v.array(Profile) }),
    v.description("What an admin of the customer may grant to its keys without support"),
  ),
  limits: v.strictObject({
    runningJobs: Count,
    unfinishedJobs: Count,
    exportsPerDay: Count,
    maps: Count,
    geometryBytes: Count,
  }),
  usage: v.strictObject({ runningJobs: Count, unfinishedJobs: Count, exportsToday: Count, maps: Count, geometryBytes: Count }),
  personalDataset: PersonalDatasetResponse,
});
