import * as v from "valibot";
import { WholeNumber } from "../http/fields.ts";
import { SCOPES } from "./key-grants.ts";
import { Profile } from "./login-schemas.ts";
import { KeyEnd } from "./machine-account-schemas.ts";

/** A customer's personal dataset in the provider's warehouse. */
export const PersonalDatasetResponse = v.pipe(
  v.strictObject({
    state: v.pipe(v.picklist(["none", "requested", "ready"]), v.description("requested: the operator will create it")),
    dataset: v.pipe(v.nullable(v.string()), v.description("The name of the dataset; null until it is ready")),
  }),
  v.title("PersonalDataset"),
);

/** A key and its customer, for the holder of the key. */
export const MeResponse = v.pipe(
  v.strictObject({
    uid: v.string(),
    name: v.pipe(v.string(), v.description("The name of the customer")),
    keyLabel: v.string(),
    service: Profile,
    scopes: v.array(v.picklist(SCOPES)),
    countries: v.pipe(v.array(v.string()), v.description("The countries whose data the key can query")),
    defaultCountry: v.pipe(v.string(), v.description("The country of requests that name none")),
    machineAccountAdmin: v.boolean(),
    expiresAt: KeyEnd,
    allow: v.pipe(
      v.strictObject({ scopes: v.array(v.picklist(SCOPES)), profiles: v.array(Profile) }),
      v.title("Allow"),
      v.description("What an admin of the customer may grant to its keys without support"),
    ),
    limits: v.pipe(
      v.strictObject({
        runningJobs: WholeNumber,
        unfinishedJobs: WholeNumber,
        exportsPerDay: WholeNumber,
        maps: WholeNumber,
        geometryBytes: WholeNumber,
        monitoredCells: WholeNumber,
        bytesPerDay: v.pipe(WholeNumber, v.description("Bytes that queries may read on one day (UTC)")),
      }),
      v.title("Limits"),
    ),
    usage: v.pipe(
      v.strictObject({
        runningJobs: WholeNumber,
        unfinishedJobs: WholeNumber,
        exportsToday: WholeNumber,
        maps: WholeNumber,
        geometryBytes: WholeNumber,
        monitoredCells: WholeNumber,
        bytesToday: v.pipe(
          WholeNumber,
          v.description(
            "Bytes that queries have read today (UTC), with those reserved for unfinished jobs and leased for interactive requests",
          ),
        ),
      }),
      v.title("Usage"),
    ),
    personalDataset: PersonalDatasetResponse,
  }),
  v.title("Me"),
);
