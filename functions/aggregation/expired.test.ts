import { Firestore } from "@google-cloud/firestore";
import { afterAll, expect, it } from "vitest";
import { call, keyOf, newCustomer, ready, runJob } from "../../infra/testing/service.ts";
import { openExports } from "../../shared/google/storage.ts";
import { config } from "../../shared/runtime/config.ts";
import sweep from "./sweep.ts";

const db = new Firestore({ projectId: ready.project });

afterAll(() => db.terminate());

it("results past their retention are a 410 and their files are removed; another job's files stay", async () => {
  const { uid, ...customer } = await newCustomer();
  const key = keyOf({ uid, ...customer });
  const odm = { agg_type: "odm", measure: "trips", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m", full: true };
  const body = { ...odm, start_time: "2020-01-01", end_time: "2020-01-02" };
  const [old, recent] = [await runJob(key, body), await runJob(key, body)];
  const files = async (id: string) => (await openExports(config()).list(`results/${uid}/${id}/`)).length;
  expect(await files(old.id)).toBeGreaterThan(0);
  await db
    .collection("jobs")
    .doc(old.id)
    .update({ expireAt: new Date(Date.now() - 1000) });
  await sweep.run();
  expect(await call("data", "GET", `/data-agg/results/${old.id}`, { key })).toMatchObject({ status: 410, body: { code: "expired" } });
  expect(await call("data", "GET", `/data-agg/results/${recent.id}`, { key })).toMatchObject({ status: 200 });
  expect([await files(old.id), (await files(recent.id)) > 0]).toEqual([0, true]);
});
