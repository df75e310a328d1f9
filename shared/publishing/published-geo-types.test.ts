import { afterAll, beforeAll, expect, it } from "vitest";
import { type Loads, startLoads } from "../../infra/testing/loads.ts";

let loads: Loads;

beforeAll(async () => {
  loads = await startLoads();
  const links = Array.from({ length: 60 }, (_, index) => `('EST', ${index}, 'a', 'primary', ST_GEOGPOINT(25, 59))`);
  await loads.run(`INSERT INTO mobility.road_links (country_code, link_id, name, class, geometry) VALUES ${links.join(", ")}`);
});

afterAll(() => loads.close());

const flow = (date: string, link: number, devices: number) => ({
  ...{ country_code: "EST", batch_date: date, time_bucket: `${date} 10:00:00`, direction: 1 },
  ...{ link_id: link, people: devices * 4, devices },
});

const notes = (date: string) =>
  loads.run(
    `SELECT version, geo_type, published_rows, withheld_people_percent AS percent FROM mobility.batch_geo_types WHERE batch_date = '${date}' ORDER BY version`,
  );

it("tells the share of withheld people if 50 geographies or more are absent, and not if fewer are", async () => {
  const few = Array.from({ length: 9 }, (_, link) => flow("2026-03-01", link, 60));
  await loads.load("flows_hourly", [...few, ...[9, 10, 11].map((link) => flow("2026-03-01", link, 4))]);
  expect(await notes("2026-03-01")).toEqual([{ version: 1, geo_type: "osm_links", published_rows: 9, percent: 2 }]);
  const more = Array.from({ length: 11 }, (_, link) => flow("2026-03-02", link, 60));
  await loads.load("flows_hourly", [...more, flow("2026-03-02", 11, 4)]);
  expect(await notes("2026-03-02")).toEqual([{ version: 1, geo_type: "osm_links", published_rows: 11, percent: null }]);
});

it("tells no share of few people: with the published number it would tell how many devices are withheld", async () => {
  // Of 36 people 44 % are withheld. The told row has 5 to 7 devices, so that 2 to 4 would be.
  await loads.load("flows_hourly", [flow("2026-03-04", 1, 5), flow("2026-03-04", 2, 4)]);
  expect(await notes("2026-03-04")).toEqual([{ version: 1, geo_type: "osm_links", published_rows: 1, percent: null }]);
});

it("notes each version once, and nothing of a load that changed nothing", async () => {
  const links = (count: number) => Array.from({ length: count }, (_, link) => flow("2026-03-03", link, 10));
  await loads.load("flows_hourly", links(2));
  await loads.load("flows_hourly", [...links(2), flow("2026-03-03", 3, 2)]);
  await loads.load("flows_hourly", links(4));
  expect(await notes("2026-03-03")).toMatchObject([
    { version: 1, published_rows: 2 },
    { version: 2, published_rows: 4 },
  ]);
});
