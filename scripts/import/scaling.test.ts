import { expect, test } from "vitest";
import { madeCsv } from "./testing/made-files.ts";
import { prepared, refusalOf } from "./testing/prepared.ts";

const FLOW = "country_code,link_id,time_bucket,direction,people,devices";
const PRESENCE = "tick,country_code,cell_id,people,devices";
const ODM = "country_code,batch_date,origin_geo_type,origin_geo_id,destination_geo_type,destination_geo_id,trips,devices,average_speed_kmh";
const flow = (country: string, link: number, people: number, devices: number) =>
  `${country},${link},2026-03-01T10:00:00Z,1,${people},${devices}`;

// UTO has 3.4 people a device, EST 5; NOM's counts are protected by the provider.
test("people up to people_per_device are loaded, rounded up at most", async () => {
  const rows = [flow("UTO", 1, 34, 10), flow("UTO", 2, 11, 3), flow("UTO", 3, 0, 0), flow("EST", 4, 5, 1), flow("NOM", 5, 999, 1)];
  expect((await prepared("flows_hourly", madeCsv(FLOW, ...rows))).rows).toHaveLength(5);
});

test("more people are refused, with the row, the value and the most that would be right", async () => {
  const rows = [flow("UTO", 1, 35, 10), flow("UTO", 2, 34, 10), flow("EST", 3, 6, 1), flow("UTO", 4, 1, 0)];
  expect((await refusalOf("flows_hourly", madeCsv(FLOW, ...rows))).split("\n")).toEqual([
    "FILE has 3 errors. Nothing was loaded:",
    `  line 2, column people: "35" is more people than 10 devices stand for, at most 34, in UTO (people_per_device 3.4): correct the scaling, or the country's rules`,
    `  line 4, column people: "6" is more people than 1 device stands for, at most 5, in EST (people_per_device 5): correct the scaling, or the country's rules`,
    `  line 5, column people: "1" is more people than 0 devices stand for, at most 0, in UTO (people_per_device 3.4): correct the scaling, or the country's rules`,
  ]);
});

test("a tick's people are counted like any", async () => {
  const message = await refusalOf("presence", madeCsv(PRESENCE, "2026-03-01T12:00:00Z,EST,51520004124000,41,8"));
  expect(message).toContain('line 2, column people: "41" is more people than 8 devices stand for, at most 40, in EST');
});

test("trips have no maximum: a device makes many", async () => {
  const file = madeCsv(ODM, "EST,2026-03-01,grid_1000m,1,grid_1000m,2,500,10,40");
  expect((await prepared("odm_daily", file)).rows).toHaveLength(1);
});
