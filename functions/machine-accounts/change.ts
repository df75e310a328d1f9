import * as v from "valibot";
import { expiryFault, expiryOf } from "../../shared/accounts/key-expiry.ts";
import { changeRefusal } from "../../shared/accounts/key-grants.ts";
import { NEVER_USED, openKeyUses } from "../../shared/accounts/key-uses.ts";
import { openKeyAdmin } from "../../shared/accounts/keys-admin.ts";
import { machineAccountResponse } from "../../shared/accounts/machine-account-response.ts";
import { ChangeMachineAccountBody, KeyLabelInPath, MachineAccountResponse, Uid } from "../../shared/accounts/machine-account-schemas.ts";
import { requireOwn } from "../../shared/accounts/require-own.ts";
import { unchangedKey } from "../../shared/accounts/unchanged-key.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { invalidFields, ServiceError } from "../../shared/http/errors.ts";

export default defineEndpoint({
  file: "machine-accounts/change",
  api: "users",
  method: "PATCH",
  path: "/users/{uid}/machine-accounts/{keyLabel}",
  summary: "Change the scopes, the service profile or the end of a machine account, from its next request on",
  description:
    "Grants that the key does not have yet must be in the customer's `allow`, which support sets. The own key may be changed, too.",
  auth: { machineAccountAdmin: true },
  checksKey: "in its transaction",
  params: v.strictObject({ uid: Uid, keyLabel: KeyLabelInPath }),
  query: noInput,
  body: ChangeMachineAccountBody,
  responses: { 200: MachineAccountResponse },
  refusals: ["conflict"],
  dependencies: (config) => ({ keys: openKeyAdmin(config), uses: openKeyUses(config) }),
  handler: async ({ params: { uid, keyLabel }, body, caller, key: asker }, { keys, uses }, { audit, now }) => {
    requireOwn(uid, caller);
    if (body.scopes === undefined && body.service === undefined && body.expiresAt === undefined)
      throw invalidFields([{ pointer: "", detail: "Nothing to change: send scopes, service or expiresAt" }]);
    const at = now();
    const fault = expiryFault(body.expiresAt, at);
    if (fault !== undefined) throw invalidFields([{ pointer: "/expiresAt", detail: fault }]);
    const changed = await keys.change({ uid: caller.uid, keyLabel, asker, now: at }, (present, { allow }) => {
      const { scopes = present.scopes, service = present.service } = body;
      const wanted = { ...present, scopes: [...new Set(scopes)], service, expiresAt: expiryOf(body.expiresAt, present) };
      const refusal = changeRefusal(wanted, present, allow);
      if (refusal !== undefined) throw new ServiceError("permission_denied", `${refusal}; support can`);
      return wanted;
    });
    if (typeof changed === "string") throw unchangedKey(changed);
    const { service, scopes, expiresAt } = changed.after;
    const end = expiresAt ? [`until ${expiresAt.toISOString()}`] : [];
    audit("key.change", `${keyLabel}: ${[service, ...scopes, ...end].join(" ")}`);
    const [lastUse = NEVER_USED] = await uses.of([{ uid: caller.uid, keyLabel, keyHash: changed.keyHash }]);
    return reply(200, machineAccountResponse({ ...changed.after, ...lastUse }));
  },
});
