import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { expect, it, onTestFinished } from "vitest";
import { documentsOnDisk } from "../testing/documents-on-disk.ts";
import { startAndKill, startPersistent } from "../testing/persistent-service.ts";
import { readIfThere } from "./durable-file.ts";

const Customers = v.object({ customers: v.array(v.object({ uid: v.string() })) });
const ARGS = ["--no-schedule", "--days", "1"];
/** Five starts, on a machine that does other work too. */
const STARTS_MS_MAX = 300_000;
const LOGINS = { storage: "storage", no_realtime: "storage", warehouse: "warehouse", admin: "warehouse" };

/** A key's document has its whole hash: a page may end within a name, and a name may stand before other letters. */
const KEYS = /documents\/apiKeys\/[0-9a-f]{64}/g;

/** What a first start creates one after another. Each is a moment to kill it. */
const MOMENTS: readonly (readonly [what: string, isTime: (data: string) => boolean])[] = [
  ["has drawn the customers", (data) => readIfThere(join(data, "customers.json")) !== undefined],
  ["has created a customer", (data) => documentsOnDisk(data, /documents\/customers\/\w+/g) > 0],
  ["has created three of five keys", (data) => documentsOnDisk(data, KEYS) > 2],
  ["has created a service account", (data) => readIfThere(join(data, "iam", "accounts.json"))?.includes("warehouse-") === true],
];

it("a first start that is killed at every step duplicates no customer, and the next start creates the rest", {
  timeout: STARTS_MS_MAX,
}, async () => {
  const root = mkdtempSync(join(tmpdir(), "populus-first-"));
  const data = join(root, "data");
  for (const [what, isTime] of MOMENTS) {
    // The kill before may have come that late.
    if (isTime(data)) continue;
    await expect(
      startAndKill(data, ARGS, () => isTime(data)),
      `killed when it ${what}`,
    ).resolves.toBeUndefined();
  }
  const service = await startPersistent(data, { args: ARGS });
  onTestFinished(async () => {
    await service.kill();
    rmSync(root, { recursive: true, force: true });
  });
  const list = spawnSync("node", ["scripts/admin.ts", "customers", "list", "--json", "--state", service.state], { encoding: "utf8" });
  const there = v.parse(Customers, JSON.parse(list.stdout)).customers.map(({ uid }) => uid);
  expect(there.sort()).toEqual(service.ready.customers.map(({ uid }) => uid).sort());
  expect(service.ready.customers.map(({ keys }) => Object.keys(keys).sort())).toEqual([Object.keys(LOGINS).sort(), ["storage"]]);
  expect(documentsOnDisk(data, KEYS)).toBe(5);
  for (const { keys } of service.ready.customers)
    for (const [label, profile] of Object.entries(LOGINS)) {
      const key = keys[label];
      if (key === undefined) continue;
      const url = `${service.ready.users_base_url}/login-with-apikey`;
      expect((await service.request(url, { key, body: { service: profile } })).status, label).toBe(200);
    }
});
