import { openKeyUses } from "../../../shared/accounts/key-uses.ts";
import { revokeKey } from "../../../shared/accounts/keys-admin.ts";
import { confirm } from "../confirm.ts";
import { tellTerraform } from "../customers-file.ts";
import { noKey, requireCustomer, requireKey } from "../find.ts";
import { flag } from "../options.ts";
import { defineVerb } from "../verb.ts";
import { LAST_ADMIN } from "./last-admin.ts";

export default defineVerb({
  words: "UID LABEL",
  more: `  --yes                does not ask, not even before the customer's last machine-account admin access is removed
  Tokens that the key has minted stay valid for at most an hour; customers suspend ends all of a customer's tokens within minutes.
`,
  options: { yes: flag },
  run: async ([uid = "", keyLabel = ""], { yes }, session) => {
    const customer = await requireCustomer(session, uid);
    const { keyHint } = await requireKey(session, customer, keyLabel);
    const revoke = (lastAdminMayGo: boolean) => revokeKey(session.db, { uid, keyLabel, lastAdminMayGo, now: session.now() });
    await confirm(session, `The key ${keyHint}… (${keyLabel}) of ${customer.name} stops working at once. Revoke it?`, yes);
    let revoked = await revoke(false);
    if (revoked === "last-admin") {
      session.note(LAST_ADMIN);
      await confirm(session, "Revoke it anyway?", yes);
      revoked = await revoke(true);
    }
    if (typeof revoked === "string") throw noKey(customer, keyLabel, []);
    await openKeyUses(session.config).forget(uid, keyLabel);
    await session.record("key.revoke", uid, `${keyLabel} (${revoked.keyHint}…)`);
    await tellTerraform(session, customer);
    return {
      json: { uid, keyLabel, keyHint: revoked.keyHint, revoked: true },
      lines: [`The key ${revoked.keyHint}… (${keyLabel}) of ${customer.name} is revoked; its tokens stay valid for at most an hour`],
    };
  },
});
