import * as v from "valibot";
import { openKeyUses } from "../../shared/accounts/key-uses.ts";
import { openKeyAdmin } from "../../shared/accounts/keys-admin.ts";
import { KeyLabelInPath, RemovedMachineAccountResponse, Uid } from "../../shared/accounts/machine-account-schemas.ts";
import { requireOwn } from "../../shared/accounts/require-own.ts";
import { unchangedKey } from "../../shared/accounts/unchanged-key.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";

export default defineEndpoint({
  file: "machine-accounts/remove",
  api: "users",
  method: "DELETE",
  path: "/users/{uid}/machine-accounts/{keyLabel}",
  summary: "Remove a machine account: its key is invalid as soon as the response is sent",
  description: "The last machine account with admin access cannot be removed (409).",
  auth: { machineAccountAdmin: true },
  checksKey: "in its transaction",
  params: v.strictObject({ uid: Uid, keyLabel: KeyLabelInPath }),
  query: noInput,
  body: noInput,
  responses: { 200: RemovedMachineAccountResponse },
  refusals: ["conflict"],
  dependencies: (config) => ({ keys: openKeyAdmin(config), uses: openKeyUses(config) }),
  handler: async ({ params: { uid, keyLabel }, caller, key: asker }, { keys, uses }, { audit, now, bestEffort }) => {
    requireOwn(uid, caller);
    const removed = await keys.revoke({ uid: caller.uid, keyLabel, asker, now: now() });
    if (typeof removed === "string") throw unchangedKey(removed);
    audit("key.revoke", `${keyLabel} (${removed.keyHint}…)`);
    await bestEffort(uses.forget(caller.uid, keyLabel));
    return reply(200, { msg: "Machine account removed", keyLabel });
  },
});
