import * as v from "valibot";
import { PersonalDatasetResponse } from "../../shared/accounts/customer-schemas.ts";
import { Uid } from "../../shared/accounts/machine-account-schemas.ts";
import { openPersonalDatasets } from "../../shared/accounts/personal-dataset.ts";
import { requireOwn } from "../../shared/accounts/require-own.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { ServiceError } from "../../shared/http/errors.ts";

export default defineEndpoint({
  file: "customers/request-dataset",
  api: "users",
  method: "POST",
  path: "/users/{uid}/personal-dataset",
  summary: "Request the customer's personal dataset in the provider's warehouse; support creates it",
  description: "Needs the warehouse profile in the customer's `allow`. Asking again changes nothing.",
  auth: { machineAccountAdmin: true },
  checksKey: "in its transaction",
  params: v.strictObject({ uid: Uid }),
  query: noInput,
  body: noInput,
  responses: { 200: PersonalDatasetResponse },
  dependencies: (config) => ({ datasets: openPersonalDatasets(config) }),
  handler: async ({ params: { uid }, caller, key }, { datasets }, { now, audit }) => {
    requireOwn(uid, caller);
    const requested = await datasets.request(caller.uid, key, now());
    if (requested === "not-allowed")
      throw new ServiceError("permission_denied", "This customer may not request a personal dataset by itself; support can");
    if (requested.isNew) audit("dataset.request", "scenario B");
    return reply(200, requested.dataset);
  },
});
