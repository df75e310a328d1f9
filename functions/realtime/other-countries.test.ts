import { FieldValue } from "@google-cloud/firestore";
import { expect, it, vi } from "vitest";
import { createMap, monitor, monitored, rowsOf } from "../../infra/testing/realtime.ts";
import { call, keyOf, newCustomer } from "../../infra/testing/service.ts";
import { keyHash } from "../../shared/accounts/api-key.ts";
import { firestore } from "../../shared/google/firestore.ts";
import { parseConfig } from "../../shared/runtime/config.ts";

const TARTU = { type: "custom_polygon", geometry: "POLYGON((26.70 58.36, 26.75 58.36, 26.75 58.40, 26.70 58.36))" };
const RIGA = { type: "custom_polygon", geometry: "POLYGON((24.08 56.94, 24.14 56.94, 24.14 56.97, 24.08 56.94))" };
/** Around Valmiera, in the extents of both countries. */
const VALMIERA = { type: "custom_polygon", geometry: "POLYGON((25.38 57.52, 25.46 57.52, 25.46 57.56, 25.38 57.52))" };
const config = parseConfig(process.env);
const db = firestore(config);
/** The wait is for rows, not for a time: whether they are there decides. */
const WAIT = { timeout: 60_000, interval: 50 };

const customer = await newCustomer({ countries: ["EST", "LAT"] });
const [full, latvian] = [keyOf(customer), keyOf(customer, "warehouse")];
await db.doc(`apiKeys/${keyHash(config.environment, latvian)}`).update({ countries: ["LAT"] });
const [estonian, riga] = [await monitored(full, { type: "admin_level_2", ids: [784] }), await monitored(full, RIGA)];
const tartu = await monitored(full, TARTU);

const idsFor = async (key: string): Promise<string[]> => (await rowsOf(key)).map(({ target_id }) => target_id).sort();
const shown = (key: string, ...ids: string[]): Promise<unknown> =>
  vi.waitFor(async () => expect(await idsFor(key)).toEqual([...ids].sort()), WAIT);
const history = (key: string, map_id: string) =>
  call(
    "data",
    "GET",
    `/admin/realtime/history?${new URLSearchParams({ map_id, start_time: "2026-03-01T00:00:00Z", end_time: "2026-03-02T00:00:00Z" })}`,
    { key },
  );
const REFUSED = {
  status: 403,
  body: {
    code: "permission_denied",
    detail: "This key does not cover all countries in which the map has been measured (EST); it covers LAT",
  },
};

it("a key reads the headcounts of maps in its own countries alone, now and of the past", async () => {
  await shown(full, estonian, riga, tartu);
  await shown(latvian, riga);
  expect(await history(full, tartu)).toMatchObject({ status: 200 });
  expect(await history(latvian, riga)).toMatchObject({ status: 200 });
  for (const id of [estonian, tartu]) expect(await history(latvian, id)).toMatchObject(REFUSED);
});

it("a map that has moved keeps the countries of its past", async () => {
  const id = await monitored(full, TARTU);
  await shown(full, estonian, riga, tartu, id);
  expect(await call("users", "PUT", `/admin/maps/${id}`, { key: full, body: { geometry: RIGA.geometry } })).toMatchObject({ status: 200 });
  await shown(full, estonian, riga, tartu, id);
  await shown(latvian, riga);
  expect(await monitor(full, id, false)).toMatchObject({ status: 200 });
  expect(await monitor(latvian, id)).toMatchObject({ status: 200 });
  await shown(full, estonian, riga, tartu, id);
  await shown(latvian, riga);
  expect((await history(latvian, id)).body).toMatchObject({ detail: expect.stringContaining("(EST, LAT)") });
  expect(await call("users", "DELETE", `/admin/maps/${id}`, { key: full })).toMatchObject({ status: 200 });
});

it("a map near a border is of the country whose network counts in it, whatever the key that switches it on", async () => {
  const id = await monitored(full, VALMIERA);
  expect((await db.doc(`maps/${id}`).get()).get("measuredIn")).toEqual(["LAT"]);
  await shown(full, estonian, riga, tartu, id);
  await shown(latvian, riga, id);
  expect(await call("users", "DELETE", `/admin/maps/${id}`, { key: full })).toMatchObject({ status: 200 });
});

it("a map that was never measured has an empty history for every key", async () => {
  const id = await createMap(full, TARTU);
  expect(await history(latvian, id)).toMatchObject({ status: 200, body: { rows: [] } });
});

it("maps of before their countries were stored are for keys of all the customer's countries", async () => {
  await Promise.all([
    db.doc(`snapshots/${customer.uid}`).update({ measuredIn: {} }),
    db.doc(`maps/${riga}`).update({ measuredIn: FieldValue.delete() }),
  ]);
  await shown(full, estonian, riga, tartu);
  expect(await idsFor(latvian)).toEqual([]);
  expect((await history(latvian, riga)).body).toMatchObject({ detail: expect.stringContaining("(all of the customer's)") });
  expect(await history(full, riga)).toMatchObject({ status: 200 });
});

it("a key of all countries that its customer still has reads everything", async () => {
  await db.doc(`customers/${customer.uid}`).update({ countries: ["LAT"] });
  await shown(latvian, estonian, riga, tartu);
  expect(await history(latvian, tartu)).toMatchObject({ status: 200 });
});
