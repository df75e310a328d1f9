import { countries } from "../../shared/countries/countries.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import { openLandingBucket } from "../../shared/google/landing-bucket.ts";
import { openLoadJobs } from "../../shared/google/load-jobs.ts";
import { FinalizedObject, importLanded } from "../../shared/loading/import-delivery.ts";
import { defineTopicFunction } from "../../shared/runtime/define-event.ts";
import { createInTurn } from "../../shared/runtime/in-turn.ts";

/** A delivery waits for its jobs and its turn for minutes, within Pub/Sub's acknowledgement deadline of ten. The next one continues with the same jobs. */
const DELIVERY_MS_MAX = 540_000;
const JOB_MS_MAX = 240_000;

/** Imports a day of data when its manifest arrives in the landing bucket. */
export default defineTopicFunction({
  file: "loading/import",
  topic: "landings",
  message: FinalizedObject,
  deliveryMsMax: DELIVERY_MS_MAX,
  dependencies: (config) => ({
    bucket: openLandingBucket(config),
    loads: openLoadJobs(config),
    warehouse: openWarehouse(config),
    inTurn: createInTurn(DELIVERY_MS_MAX),
  }),
  handler: (object, uses, { log, now, shutdownSignal }) =>
    importLanded(object, { ...uses, by: "arrival", countries: countries(), waitMs: JOB_MS_MAX, log, now, shutdownSignal }),
});
