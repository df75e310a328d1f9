import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Firestore } from "@google-cloud/firestore";
import { afterAll, expect, inject, it } from "vitest";
import { keyOf, newCustomer, ready } from "../infra/testing/service.ts";
import { peakMib } from "../scripts/bench/process-memory.ts";
import { makeBundles, START_FILE } from "../scripts/bundle/bundles.ts";
import { functionEntries } from "../scripts/bundle/functions.ts";
import { removeFolder, SERVICE_COMMAND, startBundle, unpack } from "../scripts/bundle/testing/running-bundle.ts";
import { DEFAULT_LIMITS } from "../shared/accounts/customers.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const LIST = "maps-list";
const SQUARE = "POLYGON((24.7 59.43, 24.71 59.43, 24.71 59.44, 24.7 59.44, 24.7 59.43))";
const MAP = { geometry: SQUARE.padEnd(256 * 1024), type: "custom_polygon", ids: null, countryCode: null, isMonitored: false, version: 1 };
const db = new Firestore({ projectId: ready.project });

afterAll(() => db.terminate());

/** Returns the memory of an endpoint's instance in MiB, and how many requests it takes at once. */
function instance(): { readonly memory: number; readonly concurrency: number } {
  const kinds = readFileSync(new URL("../terraform/modules/catalogue/kinds.tf", import.meta.url), "utf8");
  const [, concurrency, memory] = /^ +endpoint = \{.* concurrency = (\d+),.* memory = "(\d+)Mi"/m.exec(kinds) ?? [];
  return { memory: Number(memory), concurrency: Number(concurrency) };
}

it("an instance has the memory for a customer's lists of as many maps as it may store, as often at once as it takes requests", async () => {
  const [customer, other] = await Promise.all([newCustomer(), newCustomer()]);
  for (let made = 0; made < DEFAULT_LIMITS.geometryBytes / MAP.geometry.length; made++)
    await db
      .collection("maps")
      .add({ ...MAP, uid: customer.uid, owner: "x", name: `map ${made}`, description: "", createdAt: new Date(2026, 0, 1, 0, made) });
  const entries = functionEntries(ROOT).filter(({ name }) => name === LIST);
  const [bundle] = await makeBundles(ROOT, entries);
  const folder = unpack(bundle?.files ?? new Map());
  const { memory, concurrency } = instance();
  // Node.js allows its old objects half of a container's memory.
  const command = [...SERVICE_COMMAND, `--max-old-space-size=${memory / 2}`, START_FILE, `--target=${LIST}`, `--source=${LIST}.cjs`];
  const running = await startBundle(folder, LIST, inject("environment"), command);
  try {
    const ask = (key: string) => running.ask({ method: "GET", path: "/admin/maps", headers: { "x-api-key": key } });
    await ask(keyOf(other));
    const keys = Array.from({ length: concurrency }, (_, index) => keyOf(index === concurrency - 1 ? other : customer));
    const answers = await Promise.all(keys.map(ask));
    // On a slow machine some wait too long for their turn.
    for (const { status, text } of answers) expect([200, 503], text.slice(0, 300)).toContain(status);
    expect(Math.max(...answers.map(({ text }) => text.length))).toBeGreaterThan(7 * 1024 * 1024);
    // All at once would take nine tenths of it, if the process lived.
    if (process.platform === "linux") expect(peakMib(running.pid)).toBeLessThan((2 / 3) * memory);
  } finally {
    await running.stop();
    removeFolder(folder);
  }
});
