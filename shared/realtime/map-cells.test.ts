import * as v from "valibot";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startMetadata } from "../../infra/local/iam/server.ts";
import type { LocalServer } from "../../infra/local/server.ts";
import { PROJECT } from "../../infra/testing/engines/warehouse-under-test.ts";
import { at, COUNTRIES, type RealtimeWarehouse, startRealtimeWarehouse, version } from "../../infra/testing/realtime-warehouse.ts";
import { NoRow, statement } from "../google/statement.ts";
import type { CustomerMap } from "../maps/maps.ts";
import { parseConfig } from "../runtime/config.ts";
import { compactionStatements } from "./compaction.ts";
import { deliverMapChange, type MapChangeContext } from "./deliver-map-change.ts";
import { openMapCells, standingPartsStatement } from "./map-cells-table.ts";
import { openMonitoredMaps } from "./monitored-maps-table.ts";

let warehouse: RealtimeWarehouse;
let metadata: LocalServer;
let stores: Pick<MapChangeContext, "monitoredMaps" | "mapCells">;

beforeAll(async () => {
  warehouse = await startRealtimeWarehouse();
  const account = `functions@${PROJECT}.iam.gserviceaccount.com`;
  warehouse.identity.addAccount(account);
  metadata = await startMetadata({ identity: warehouse.identity, project: PROJECT, account });
  const environment = {
    GCE_METADATA_HOST: metadata.address,
    METADATA_SERVER_DETECTION: "assume-present",
    GOOGLE_APPLICATION_CREDENTIALS: "",
  };
  Object.assign(process.env, environment);
  const config = parseConfig({
    GOOGLE_CLOUD_PROJECT: PROJECT,
    ENVIRONMENT: "local",
    EXPORT_BUCKET: "exports",
    BIGQUERY_URL: warehouse.origin,
  });
  stores = { monitoredMaps: openMonitoredMaps(config), mapCells: openMapCells(config) };
});

beforeEach(() => warehouse.empty());

afterAll(() => Promise.all([metadata.close(), warehouse.close()]));

const OLD = { appended_at: at(-500).toISOString() };

async function left(table: "versions" | "cells"): Promise<string[]> {
  const Row = v.pipe(
    v.object({ name: v.string() }),
    v.transform(({ name }) => name),
  );
  const sql = {
    versions: "SELECT CONCAT(map_id, ' ', CAST(version AS STRING)) AS name FROM `realtime.monitored_maps` ORDER BY name",
    cells: "SELECT CONCAT(geometry_hash, ' ', CAST(part AS STRING)) AS name FROM `realtime.map_cells` ORDER BY name",
  } as const;
  return [...(await warehouse.run(statement(Row, sql[table], {})))];
}

const compact = async (): Promise<void> => {
  for (const statement of Object.values(compactionStatements(at(0)))) await warehouse.run(statement);
};

describe("compaction", () => {
  it("deletes what has been superseded for two hours and its cells, and changes no headcount", async () => {
    const { append, counted, measured } = warehouse;
    await measured(at(0), { 1: [100, 50], 2: [40, 20] });
    await append(
      ...[version("m", 1, { 1: 1 }, OLD), version("m", 2, { 2: 1 }, OLD), version("m", 2, { 1: 0.5 }, { ...OLD, part: 1 })],
      ...[version("n", 1, { 1: 1 }, OLD), version("n", 2, { 2: 1 })],
      ...[version("off", 1, { 1: 1 }, OLD), version("off", 2, {}, { ...OLD, is_monitored: false })],
      ...[version("just off", 1, { 1: 1 }, OLD), version("just off", 2, {}, { is_monitored: false })],
      ...[version("renamed", 1, { 1: 1 }, OLD), version("renamed", 2, {}, { ...OLD, geometry: "renamed v1", parts: 1 })],
    );
    const before = await counted(at(0));
    expect(before).toHaveLength(3);
    await compact();
    expect(await left("versions")).toEqual(["just off 1", "just off 2", "m 2", "n 1", "n 2", "renamed 2"]);
    expect(await left("cells")).toEqual(["just off v1 0", "m v2 0", "m v2 1", "n v1 0", "n v2 0", "renamed v1 0"]);
    expect(await counted(at(5))).toEqual(before);
  });

  it("leaves cells without a version for two hours: a delivery may be about to append it", async () => {
    await warehouse.append(version("old", 1, { 1: 1 }, { ...OLD, part: 1 }), version("new", 1, { 1: 1 }, { part: 1 }));
    await compact();
    expect(await left("cells")).toEqual(["new v1 1"]);
  });

  it("keeps the last version of a map that is off while an older one that was on is still there", async () => {
    await warehouse.append(version("m", 1, { 1: 1 }), version("m", 2, {}, { ...OLD, is_monitored: false }));
    await compact();
    expect(await left("versions")).toEqual(["m 1", "m 2"]);
  });
});

describe("a compaction with a broken condition", () => {
  const INTACT = {
    versions: ["m 2", "n 1", "n 2", "off 1", "off 2"],
    cells: ["delivered v1 1", "m v2 0", "n v1 0", "n v2 0", "off v1 0"],
  };
  const scene = async (change: (sql: string) => string) => {
    const off = { is_monitored: false };
    await warehouse.empty();
    await warehouse.append(
      ...[version("m", 1, { 1: 1 }, OLD), version("m", 2, { 2: 1 }, OLD)],
      ...[version("n", 1, { 1: 1 }, OLD), version("n", 2, { 2: 1 })],
      ...[version("off", 1, { 1: 1 }), version("off", 2, {}, { ...OLD, ...off })],
      ...[version("delivered", 1, { 1: 1 }, { part: 1 })],
    );
    for (const { sql, parameters } of Object.values(compactionStatements(at(0))))
      await warehouse.run(statement(NoRow, change(sql), parameters));
    return { versions: await left("versions"), cells: await left("cells") };
  };

  it("is compared with this", async () => {
    expect(await scene((sql) => sql)).toEqual(INTACT);
  });

  it.each([
    ["cells that a version refers to", "referring.geometry_hash = stored.geometry_hash", "FALSE"],
    ["cells whose version is about to be appended", "stored.appended_at < @before", "stored.appended_at IS NOT NULL"],
    ["the version in force", "newer.version > old.version", "newer.version >= old.version"],
    ["a version superseded just now", " AND newer.appended_at < @before", ""],
    ["the end of a map whose older version is still there", "other.map_id = ended.map_id AND other.is_monitored", "FALSE"],
  ])("removes %s, and is noticed", async (_what, from, to) => {
    let changes = 0;
    const broken = await scene((sql) => {
      changes += sql.split(from).length - 1;
      return sql.replace(from, to);
    });
    expect(changes).toBe(1);
    expect(broken).not.toEqual(INTACT);
  });
});

describe("cells that a delivery relies on", () => {
  const standing = async (name: string, minutes = 0) =>
    (await warehouse.run(standingPartsStatement("acme", name, at(minutes)))).map(({ part, parts }) => `${part} of ${parts}`);

  it("are those that a version refers to that is not superseded, or has been for less than an hour", async () => {
    const superseded = (minutes: number) => ({ geometry: "other", parts: 0, appended_at: at(minutes).toISOString() });
    await warehouse.append(version("now", 1, { 1: 1 }, OLD), version("now", 1, { 2: 1 }, { ...OLD, part: 1 }));
    await warehouse.append(version("lately", 1, { 1: 1 }, OLD), version("lately", 2, {}, superseded(-59)));
    await warehouse.append(version("long ago", 1, { 1: 1 }, OLD), version("long ago", 2, {}, superseded(-61)));
    expect(await standing("now v1")).toEqual(["0 of 2", "1 of 2"]);
    expect(await standing("lately v1")).toEqual(["0 of 1"]);
    expect(await standing("long ago v1")).toEqual([]);
    expect(await warehouse.run(standingPartsStatement("another", "now v1", at(0)))).toEqual([]);
  });

  it("are also those that were appended within an hour, each once", async () => {
    const part = { part: 1, parts: 2, appended_at: at(0).toISOString() };
    await warehouse.append(version("m", 1, { 1: 1 }, part));
    await warehouse.append(version("m", 1, { 1: 1 }, part));
    expect(await standing("m v1", 60)).toEqual(["1 of 2"]);
    expect(await standing("m v1", 61)).toEqual([]);
  });
});

describe("a delivery", () => {
  const polygon = (west: number): string =>
    `POLYGON((${west} 57.86, ${west + 0.02} 57.86, ${west + 0.02} 57.87, ${west} 57.87, ${west} 57.86))`;
  const stored: CustomerMap = {
    ...{ id: "m", uid: "acme", owner: "main@acme", name: "A map", description: "", version: 1, createdAt: at(-60), isMonitored: true },
    ...{ type: "custom_polygon", geometry: polygon(25.3), ids: null, countryCode: null },
  };
  const deliver = (map: Partial<CustomerMap>, other: Partial<MapChangeContext> = {}) =>
    deliverMapChange("m", {
      ...stores,
      changes: { get: async () => ({ mapId: "m", uid: "acme", version: 1, changedAt: at(0) }), markDelivered: async () => undefined },
      getMap: async () => ({ ...stored, ...map }),
      countriesOf: async () => ["EST", "LAT"],
      countries: COUNTRIES,
      now: () => at(0),
      ...other,
    });

  it("appends the cells of a polygon once, however often it is renamed, switched or delivered again", async () => {
    expect(await deliver({})).toBe(3);
    const cells = await left("cells");
    expect(cells).toHaveLength(2);
    expect(await deliver({ version: 2, name: "Another name" })).toBe(1);
    expect(await deliver({ version: 3, isMonitored: false })).toBe(1);
    expect(await deliver({ version: 4 })).toBe(1);
    expect(await deliver({ version: 4 })).toBe(1);
    expect(await left("cells")).toEqual(cells);
    expect(await deliver({ version: 5, geometry: polygon(25.4) })).toBe(3);
    expect(await left("cells")).toHaveLength(4);
  });

  it("that ended between cells and version is continued: only what is missing is appended", async () => {
    const { monitoredMaps, mapCells } = stores;
    const dies = Promise.reject(new Error("the process died"));
    dies.catch(() => undefined);
    const first = {
      ...mapCells,
      append: async (rows: Parameters<typeof mapCells.append>[0]) => mapCells.append(rows.slice(0, 1)).then(() => dies),
    };
    // The warehouse takes no row twice within a minute: this map is of no other test.
    const map = { id: "ended", geometry: polygon(25.5) };
    await expect(deliver(map, { mapCells: first })).rejects.toThrow("the process died");
    expect(await left("cells")).toHaveLength(1);
    await expect(deliver(map, { monitoredMaps: { ...monitoredMaps, append: () => dies } })).rejects.toThrow("the process died");
    expect([await left("cells"), await left("versions")]).toMatchObject([[expect.any(String), expect.any(String)], []]);
    expect(await deliver(map)).toBe(1);
    expect(await left("cells")).toHaveLength(2);
    expect(await left("versions")).toEqual(["ended 1"]);
  });

  it("of another customer with the same polygon has cells of its own", async () => {
    const geometry = polygon(25.6);
    await deliver({ geometry });
    expect(await deliver({ geometry, uid: "other" })).toBe(3);
    expect(await left("cells")).toHaveLength(4);
  });
});
