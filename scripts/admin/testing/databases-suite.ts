import * as v from "valibot";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import login from "../../../functions/auth/login.ts";
import { adminCaller } from "../../../infra/testing/contracts/firestore-admin.ts";
import { serveInProcess } from "../../../infra/testing/in-process.ts";
import { keyHash } from "../../../shared/accounts/api-key.ts";
import { firestore } from "../../../shared/google/firestore.ts";
import { admin, adminJson, keyOf, newCustomer, operatorToken, underTest } from "./service-under-test.ts";

const Drill = v.object({
  collections: v.array(v.object({ collection: v.string(), source: v.number(), copy: v.number() })),
  withdrawals: v.number(),
  steps: v.array(v.object({ step: v.string(), seconds: v.number() })),
});

/** The Firestore Admin API of the service under test, with an operator's token. */
async function firestoreAdmin() {
  const { ready } = underTest();
  return adminCaller(ready.firestore_admin_endpoint, ready.project, await operatorToken());
}

/** Tests of `databases`. */
export function databasesSuite(): void {
  describe("a database restored from a backup", () => {
    it("has no access that was withdrawn since: deleted and suspended customers, revoked and rotated keys, scopes", async () => {
      const { config } = underTest();
      const [gone, suspended, active] = [await newCustomer("Gone"), await newCustomer("Suspended"), await newCustomer("Active")];
      const api = await firestoreAdmin();
      const first = await api.takeBackup("(default)");
      for (const act of [
        ["customers", "delete", gone.uid, "--yes"],
        ["customers", "suspend", suspended.uid],
        ["keys", "rotate", active.uid, "warehouse", "--yes"],
        ["keys", "revoke", active.uid, "storage", "--yes"],
        ["scopes", "revoke", active.uid, "admin", "realtime"],
      ])
        expect((await admin(act)).failure, act.join(" ")).toBe(undefined);
      // Gone by a mistake, without an entry in the audit: what a restoration is for.
      const lost = await newCustomer("Lost");
      const backup = await api.takeBackup("(default)");
      await firestore(config).recursiveDelete(firestore(config).collection("customers").doc(lost.uid));

      const { body } = await api.call("GET", "locations/-/backups");
      const { backups } = v.parse(v.object({ backups: v.array(v.object({ name: v.string(), snapshotTime: v.string() })) }), body);
      // The first backup was before all of it.
      const restored = await admin(["databases", "restore", "restored-all", "--backup", first, "--yes"]);
      expect(restored.failure).toBe(undefined);
      const kinds = restored.notes.join("\n");
      for (const [kind, uid] of [
        ["customer deleted", gone.uid],
        ["customer suspended", suspended.uid],
        ["key revoked", active.uid],
        ["key limited", active.uid],
      ])
        expect(kinds).toMatch(new RegExp(`${kind} +${uid}`));
      expect(restored.out).toContain("--database 'restored-all'");

      const pointed = { ...config, databases: { ...config.databases, main: "restored-all" } };
      const served = await serveInProcess({ endpoint: login, config: { ...pointed, accessToken: "owner" } });
      onTestFinished(async () => {
        await served.close();
      });
      const statusOf = async (customer: typeof gone, label: string) => (await served.call({ key: keyOf(customer, label) })).status;
      expect(await statusOf(gone, "storage")).toBe(401);
      expect(await statusOf(suspended, "storage")).toBe(403);
      expect([await statusOf(active, "storage"), await statusOf(active, "warehouse")]).toEqual([401, 401]);
      const key = await firestore(pointed)
        .doc(`apiKeys/${keyHash(config.environment, keyOf(active, "admin"))}`)
        .get();
      expect(key.get("scopes")).toEqual([]);
      for (const collection of await firestore(pointed).listCollections())
        expect((await collection.where("uid", "==", gone.uid).get()).size, collection.id).toBe(0);
      expect((await firestore(pointed).doc(`goneCustomers/${gone.uid}`).get()).exists).toBe(true);

      const undecided = await admin(["databases", "restore", "restored-lost", "--backup", backup, "--yes"]);
      expect(undecided.failure).toMatch(
        new RegExp(`Do not point the functions at restored-lost yet[^]*customer deleted: ${lost.uid} Lost`),
      );
      const since = backups.find(({ name }) => name === backup)?.snapshotTime ?? "";
      // What was withdrawn before a later time would count as unexplained, and be kept.
      const late = new Date(Date.parse(since) + 1).toISOString();
      const tooLate = await admin(["databases", "reconcile", "restored-lost", "--since", late, "--unexplained", "keep", "--yes"]);
      expect(tooLate.failure).toMatch(`--since ${late} is too late`);
      const kept = await admin(["databases", "reconcile", "restored-lost", "--unexplained", "keep", "--yes"]);
      expect(kept.failure).toBe(undefined);
      const customers = firestore({ ...config, databases: { ...config.databases, main: "restored-lost" } }).collection("customers");
      expect((await customers.doc(lost.uid).get()).get("name")).toBe("Lost");

      const again = await admin(["databases", "restore", "restored-lost", "--backup", backup, "--unexplained", "keep", "--yes"]);
      expect(again.failure).toContain(
        "restored-lost is there already. To continue an earlier run: npm run admin -- databases reconcile restored-lost",
      );

      const drill = await adminJson(Drill, "databases", "drill", "--backup", "newest");
      expect(drill.steps.map(({ step }) => step)).toEqual(
        expect.arrayContaining(["restore the backup", "read the copy", "delete the copy"]),
      );
      expect(drill.collections.find(({ collection }) => collection === "customers")).toMatchObject({ copy: expect.any(Number) });

      expect((await admin(["databases", "reconcile", "(default)"])).failure).toContain(
        "The functions use (default). If it was restored, name with --present the database that they used before",
      );

      // A customer that was deleted by mistake has an entry in the audit, so it is kept only if somebody says so.
      const mistaken = await admin(["databases", "restore", "restored-gone", "--backup", first, "--undelete", gone.uid]);
      expect(mistaken.failure).toMatch(/restored-gone still has this access: do not point the functions at it/);
      const undeleted = await admin(["databases", "reconcile", "restored-gone", "--undelete", gone.uid, "--yes"]);
      expect(undeleted.failure).toBe(undefined);
      expect(undeleted.out).toContain(`npm run admin -- databases reconcile restored-gone --present '(default)' --undelete ${gone.uid}`);
      const restoredGone = firestore({ ...config, databases: { ...config.databases, main: "restored-gone" } });
      expect((await restoredGone.doc(`customers/${gone.uid}`).get()).get("name")).toBe("Gone");
      expect((await restoredGone.doc(`apiKeys/${keyHash(config.environment, keyOf(gone, "storage"))}`).get()).exists).toBe(true);
      expect((await restoredGone.doc(`customers/${suspended.uid}`).get()).get("status")).toBe("suspended");

      // An operator who does not say which database the functions use might revoke a key in the other one.
      vi.stubEnv("FIRESTORE_DATABASE", undefined);
      vi.stubEnv("FIRESTORE_ADMIN_URL", underTest().ready.firestore_admin_endpoint);
      onTestFinished(() => {
        vi.unstubAllEnvs();
      });
      const { failure } = await admin(["customers", "list", "--project", "demo-local", "--environment", "dev"]);
      expect(failure).toMatch(/--database is missing: the project has \(default\) and restored-/);
    });
  });
}
