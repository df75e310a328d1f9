import { describe, expect, it } from "vitest";
import { type Outcome, outcomeWith } from "../google/bigquery.ts";
import { rowsOf } from "../google/statement.ts";
import type { CustomerMap } from "../maps/maps.ts";
import { type MeasureContext, measureMap, requestMeasurement } from "./measure-map.ts";
import type { MeasuredAlone } from "./snapshot.ts";

const ID = "yglEXBIE3GYCFNVEASMe";
const CHANGED = new Date("2026-01-15T12:02:03.456Z");
const MESSAGE = { map_id: ID, version: 3, changed_at: CHANGED };
const instant = (value: string) => ({ value });
const LEDGER = [{ tick: instant("2026-01-15T12:00:00Z") }];
const ROW = {
  ...{ tick: instant(CHANGED.toISOString()), timestamp: instant("2026-01-15T12:00:00Z"), uid: "acme", target_id: ID },
  ...{ target_name: "A map", people_count: 7, result: "SUCCESS" },
};
const MAP: CustomerMap = {
  ...{ id: ID, uid: "acme", owner: "main@acme", name: "A map", description: "", type: "admin_level_2", geometry: null },
  ...{ ids: [784], countryCode: "EST", isMonitored: true, version: 3, createdAt: CHANGED },
};

interface Given {
  readonly map?: CustomerMap | undefined;
  readonly ledger?: readonly object[];
  readonly outcome?: Outcome;
  readonly rows?: readonly object[];
  readonly seconds?: number;
  readonly isRefused?: boolean;
}

/** Measures the map with in-memory dependencies. Returns the jobs, the rows added to snapshots, and the log. */
async function measure(given: Given = {}) {
  const {
    map,
    ledger = LEDGER,
    outcome = { state: "done", rows: [] },
    rows = [ROW],
    seconds = 1,
    isRefused = false,
  } = { map: MAP, ...given };
  const started: unknown[] = [];
  const added: [uid: string, row: MeasuredAlone, version: number][] = [];
  const logged: string[] = [];
  const context: MeasureContext = {
    maps: { get: async () => map },
    warehouse: {
      runJob: async (id, statement, labels) => {
        if (isRefused) throw new Error("socket hang up");
        const { map_id: mapId, version } = statement.parameters;
        started.push([id, mapId?.value, version?.value, labels.customer]);
        return outcomeWith(statement, outcome);
      },
      query: async (statement) => rowsOf(statement, statement.sql.includes("mobility.batches") ? ledger : rows),
    },
    snapshots: { add: async (...row) => added.push(row) > 0 },
    inTurn: (_uid, task) => task(),
    countries: {},
    tickMs: 300_000,
    now: () => new Date(CHANGED.getTime() + 1000 * seconds),
    log: (severity, message) => logged.push(`${severity} ${message}`),
  };
  await measureMap(MESSAGE, context);
  return { started, added, logged };
}

describe("a map to measure at once", () => {
  it("is counted under a job id of map, version and tick, and shown with the change as its tick", async () => {
    const timestamp = new Date("2026-01-15T12:00:00Z");
    const shown = { targetId: ID, targetName: "A map", timestamp, peopleCount: 7, result: "SUCCESS", tick: CHANGED };
    expect(await measure()).toEqual({
      started: [[`measure_${ID}_3_20260115T120203456`, ID, 3, "acme"]],
      added: [["acme", shown, 3]],
      logged: ["INFO A map was measured at once"],
    });
  });

  it.each([
    ["it is deleted", { map: undefined }],
    ["it is switched off", { map: { ...MAP, isMonitored: false } }],
    ["it has changed", { map: { ...MAP, version: 4 } }],
    ["no tick is complete", { ledger: [] }],
    ["a tick has passed since the change", { seconds: 301 }],
  ])("sends no statement to the warehouse if %s", async (_why, given) => {
    expect(await measure(given)).toEqual({ started: [], added: [], logged: ["INFO A map was not measured at once"] });
  });

  it("is left to its next measurement if the warehouse knows a newer version", async () => {
    expect(await measure({ rows: [] })).toMatchObject({ added: [], logged: ["INFO A map was not measured at once"] });
  });

  it.each([
    ["the statement fails", { outcome: { state: "failed", reason: "backendError", message: "later" } }],
    ["the statement takes too long", { outcome: { state: "running", progress: 0 } }],
    ["the warehouse is down", { isRefused: true }],
  ] satisfies [string, Given][])("is left to the next tick if %s, and its message is not delivered again", async (_why, given) => {
    const logged = ["WARNING A map could not be measured at once; the next tick measures it"];
    expect(await measure(given)).toMatchObject({ added: [], logged });
  });
});

describe("asking to measure a map", () => {
  it("names the map, its version and the change", async () => {
    const published: object[] = [];
    await requestMeasurement({ publish: async (content) => void published.push(content) }, MAP, CHANGED, () => undefined);
    expect(published).toEqual([{ map_id: ID, version: 3, changed_at: CHANGED.toISOString() }]);
  });

  it("does not fail if the topic does", async () => {
    const logged: string[] = [];
    const publish = () => Promise.reject(new Error("no such topic"));
    await requestMeasurement({ publish }, MAP, CHANGED, (severity) => logged.push(severity));
    expect(logged).toEqual(["WARNING"]);
  });
});
