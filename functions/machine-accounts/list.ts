import * as v from "valibot";
import { defineEndpoint, nothing, reply } from "../../shared/endpoint/define.ts";
import { requireOwn } from "../../shared/machine-accounts/require-own.ts";
import { MachineAccountListResponse, Uid } from "../../shared/schemas/machine-account.ts";
import { openMachineAccounts } from "../../shared/stores/machine-accounts.ts";

export default defineEndpoint({
  file: "machine-accounts/list",
  api: "users",
  method: "GET",
  path: "/users/{uid}/machine-accounts/list",
  summary: "List the customer's machine accounts, with when their keys were made and last used",
  auth: { machineAccountAdmin: true },
  params: v.strictObject({ uid: Uid }),
  query: nothing,
  body: nothing,
  responses: { 200: MachineAccountListResponse },
  uses: (config) => ({ accounts: openMachineAccounts(config) }),
  handler: async ({ params, caller }, { accounts }) => {
    requireOwn(params.uid, caller);
    const machineAccounts = (await accounts.list(caller.uid)).map(({ createdAt, rotatedAt, lastUsedAt, ...account }) => ({
      ...account,
      createdAt: createdAt.toISOString(),
      rotatedAt: rotatedAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    }));
    return reply(200, { machineAccounts });
  },
});
