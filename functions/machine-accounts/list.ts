import * as v from "valibot";
import { machineAccountResponse } from "../../shared/accounts/machine-account-response.ts";
import { MachineAccountListResponse, Uid } from "../../shared/accounts/machine-account-schemas.ts";
import { openMachineAccountList } from "../../shared/accounts/machine-accounts.ts";
import { requireOwn } from "../../shared/accounts/require-own.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";

export default defineEndpoint({
  file: "machine-accounts/list",
  api: "users",
  method: "GET",
  path: "/users/{uid}/machine-accounts/list",
  summary: "List the customer's machine accounts, and when their keys were created and last used",
  description: "Never a key: `keyHint` has its first six characters.",
  auth: { machineAccountAdmin: true },
  params: v.strictObject({ uid: Uid }),
  query: noInput,
  body: noInput,
  responses: { 200: MachineAccountListResponse },
  dependencies: (config) => ({ listAccounts: openMachineAccountList(config) }),
  handler: async ({ params, caller }, { listAccounts }) => {
    requireOwn(params.uid, caller);
    return reply(200, { machineAccounts: (await listAccounts(caller.uid)).map(machineAccountResponse) });
  },
});
