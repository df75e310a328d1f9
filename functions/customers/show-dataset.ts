import * as v from "valibot";
import { PersonalDatasetResponse } from "../../shared/accounts/customer-schemas.ts";
import { Uid } from "../../shared/accounts/machine-account-schemas.ts";
import { openPersonalDatasetReader } from "../../shared/accounts/personal-dataset.ts";
import { requireOwn } from "../../shared/accounts/require-own.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";

export default defineEndpoint({
  file: "customers/show-dataset",
  api: "users",
  method: "GET",
  path: "/users/{uid}/personal-dataset",
  summary: "Get whether the customer's personal dataset is requested or ready",
  description: "`dataset` has its name once it is `ready`.",
  auth: { machineAccountAdmin: true },
  params: v.strictObject({ uid: Uid }),
  query: noInput,
  body: noInput,
  responses: { 200: PersonalDatasetResponse },
  dependencies: (config) => ({ readDataset: openPersonalDatasetReader(config) }),
  handler: async ({ params: { uid }, caller }, { readDataset }) => {
    requireOwn(uid, caller);
    return reply(200, await readDataset(caller.uid));
  },
});
