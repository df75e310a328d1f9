import * as v from "valibot";
import { serviceAccountOf } from "../../shared/accounts/access-tokens.ts";
import { expiryFault, expiryOf } from "../../shared/accounts/key-expiry.ts";
import { type Grants, grantRefusal, newGrants } from "../../shared/accounts/key-grants.ts";
import { CreateMachineAccountBody, NewKeyResponse, Uid } from "../../shared/accounts/machine-account-schemas.ts";
import { openMachineAccounts } from "../../shared/accounts/machine-accounts.ts";
import { requireOwn } from "../../shared/accounts/require-own.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { invalidFields, ServiceError } from "../../shared/http/errors.ts";

export default defineEndpoint({
  file: "machine-accounts/create",
  api: "users",
  method: "POST",
  path: "/users/{uid}/machine-accounts",
  summary: "Create a machine account, or rotate its key: the old key is invalid as soon as the response is sent",
  description:
    "The key is shown only in this response. Rotating keeps the profile and the end unless `service` and `expiresAt` are given. A customer has " +
    "at most 100 machine accounts and creates at most 20 in an hour (429); rotation is never refused for that.",
  auth: { machineAccountAdmin: true },
  checksKey: "in its transaction",
  params: v.strictObject({ uid: Uid }),
  query: noInput,
  body: CreateMachineAccountBody,
  responses: { 200: NewKeyResponse, 201: NewKeyResponse },
  hasCredentials: true,
  dependencies: (config) => ({ accounts: openMachineAccounts(config) }),
  handler: async ({ params, body: { keyLabel, service, expiresAt }, caller, key: creator }, { accounts }, { config, now, audit }) => {
    requireOwn(params.uid, caller);
    const at = now();
    const decide = (present: Grants | undefined): Grants => {
      const kept = present ? { ...present, service: service ?? present.service } : newGrants(caller, service);
      const wanted = { ...kept, expiresAt: expiryOf(expiresAt, present) };
      const fault = expiryFault(wanted.expiresAt, at);
      if (fault !== undefined) throw invalidFields([{ pointer: "/expiresAt", detail: present ? `${fault}; null removes it` : fault }]);
      const refusal = grantRefusal(wanted, caller);
      if (refusal !== undefined) throw new ServiceError("permission_denied", `${refusal}; support can`);
      return wanted;
    };
    const made = await accounts.createOrRotate(caller.uid, keyLabel, at, decide, creator);
    audit(made.rotated ? "key.rotate" : "key.create", `${keyLabel} (${made.keyHint}…)`);
    const key = {
      keyLabel,
      service: made.service,
      apiKey: made.apiKey,
      serviceAccount: serviceAccountOf(config, { uid: caller.uid, accountsProject: made.accountsProject }, made.service),
      rotatedAt: at.toISOString(),
      expiresAt: made.expiresAt?.toISOString() ?? null,
      rotated: made.rotated,
    };
    return made.rotated ? reply(200, key) : reply(201, key);
  },
});
