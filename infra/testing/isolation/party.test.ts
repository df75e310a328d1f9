import { describe, expect, it } from "vitest";
import { foreignRows, leaksIn, newParty, thingsIn } from "./party.ts";

const tokens = { storage: "ya29.local-aaaaaaaaaaaaaaaaaaaaaaaa", warehouse: "ya29.local-bbbbbbbbbbbbbbbbbbbbbbbb" };
const customer = { uid: "isolation1", keyLabel: "one", key: "a".repeat(64), isWaiting: false };
const party = newParty({ customer, marker: "markerone", geoIds: { admin_level_2: [198] }, tokens });
const MAP = "AbCdEfGhIjKlMnOpQrSt";
const JOB = "00000000-0000-4000-8000-000000000001";
party.maps.set(MAP, { name: "markerone1", isMonitored: false });
party.jobs.add(JOB);

describe("a party's data", () => {
  it.each([
    ["a name", '{"name":"../markerone7"}', "markerone"],
    ["a map", `/admin/maps/${MAP}`, MAP],
    ["a job in a path", `results/x/${JOB}/y`, JOB],
    ["a job in the name of a query", `agg_${JOB}_1`, JOB],
    ["a key", `"${"a".repeat(64)}"`, "a".repeat(64)],
    ["a token", `Bearer ${tokens.storage}`, tokens.storage],
    ["its uid", "results/isolation1/", "isolation1"],
    ["its dataset", "customer_isolation1.realtime_data", "isolation1"],
    ["its dataset in eu", "customer_isolation1_eu.x", "isolation1"],
    ["its service account", "storage-isolation1@demo", "isolation1"],
  ])("is found by %s", (_kind, text, thing) => {
    expect(thingsIn(text, party)).toEqual([thing]);
  });

  it("is not found in the other party's names when its uid is a prefix of the other's", () => {
    expect(thingsIn("results/isolation10/x customer_isolation10 storage-isolation10@demo", party)).toEqual([]);
  });

  it("is not a leak where the request itself named it", () => {
    expect(leaksIn(`no ${MAP} and no ${JOB}`, `/admin/maps/${MAP}`, party)).toEqual([
      `the response holds ${JOB}, which belongs to the other party`,
    ]);
  });

  it("includes rows of geographies that only it requested", () => {
    expect(foreignRows('{"geo_id":198,"x":1}', party)).toHaveLength(1);
    expect(foreignRows('{"origin_geo_id":1981,"destination_geo_id":19}', party)).toEqual([]);
  });
});
