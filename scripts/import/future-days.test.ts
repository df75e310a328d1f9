import { expect, onTestFinished, test } from "vitest";
import { startImportUnderTest } from "./testing/import-under-test.ts";
import { madeCsv } from "./testing/made-files.ts";
import { refusalOf } from "./testing/prepared.ts";

const FLOW = "country_code,link_id,time_bucket,direction,people,devices";
const flow = (country: string, hour: string, link = 1): string => `${country},${link},${hour},1,10,10`;

test("a day that has not begun is refused once, at its first row", async () => {
  const file = madeCsv(FLOW, flow("EST", "2026-03-01T10:00:00Z"), flow("EST", "2096-03-01T10:00:00Z"), flow("EST", "2096-03-01T11:00:00Z"));
  expect(await refusalOf("flows_hourly", file)).toBe(
    "FILE has 1 error. Nothing was loaded:\n" +
      '  line 3, column time_bucket: "2096-03-01" is a day in the future: in Europe/Tallinn it is 2026-03-01 by this machine\'s clock (2 rows)',
  );
  const odm = madeCsv(
    "country_code,origin_geo_type,origin_geo_id,destination_geo_type,destination_geo_id,trips,devices,day",
    "EST,grid_1000m,1,grid_1000m,2,30,7,2026-03-02",
  );
  expect(await refusalOf("odm_daily", odm, "--column", "batch_date=day")).toContain(
    '  line 2, column batch_date (day): "2026-03-02" is a day in the future: in Europe/Tallinn it is 2026-03-01 by this machine\'s clock',
  );
});

test("today is that of the country's time zone", async () => {
  const { run, close } = await startImportUnderTest(() => new Date("2026-03-01T22:30:00Z"));
  onTestFinished(close);
  const hour = "2026-03-02T10:00:00Z";
  expect(await run("flows_hourly", "--file", madeCsv(FLOW, flow("EST", hour)))).toContain(
    "Loaded flows_hourly 2026-03-02 EST: 1 row, 1 published, version 1",
  );
  await expect(run("flows_hourly", "--file", madeCsv(FLOW, flow("UTO", hour)))).rejects.toThrow("in UTC it is 2026-03-01");
});
