import * as v from "valibot";
import { expect, it } from "vitest";
import {
  bring,
  csv,
  folder,
  HEADER,
  landing,
  loadsOf,
  parquetOf,
  peopleOn,
  quarantined,
  row,
  street,
  until,
} from "../../infra/testing/landed-days.ts";
import { runAsLoader } from "../../infra/testing/raw-counts.ts";
import { civilDate } from "../../shared/products/time-window.ts";

const Place = v.object({ geo_id: v.number(), at_2: v.number(), at_3: v.number() });

it("a bad file is quarantined with its manifest and the line that is wrong; what was published before stays", async () => {
  const date = "2021-07-04";
  await landing.upload(`${folder(date)}good.csv`, csv(row(date, 10, 100)));
  await bring(date, "manifest-1.json", ["good.csv"]);
  await until(() => peopleOn(date), { 10: 100 });
  await landing.upload(
    `${folder(date)}bad.csv`,
    csv(row(date, 12, 20), row(date, 13, 900), row(date, 14, 20, 50, 1), row("2021-07-01", 15, 20)),
  );
  await bring(date, "manifest-2.json", ["bad.csv"]);
  const { names, errors, total } = await quarantined(date);
  expect(names.sort()).toEqual(["bad.csv", "errors.json", "manifest-2.json"]);
  expect(total).toBe(3);
  expect(errors.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))).toEqual([
    { file: "bad.csv", line: 3, error: 'column people: "900" is more people than 50 devices stand for', correct: "at most 170" },
    {
      file: "bad.csv",
      line: 4,
      error: 'column link_id: "1" is not in road_links',
      correct: expect.stringContaining("road_links with this id loaded first"),
    },
    { file: "bad.csv", line: 5, error: expect.stringContaining("is not on the day"), correct: expect.stringContaining("2021-07-04") },
  ]);
  expect(await peopleOn(date)).toEqual({ 10: 100 });
  expect(await landing.names(folder(date))).toEqual(["good.csv", "manifest-1.json"]);
  expect(await loadsOf(date)).toHaveLength(1);
});

it("a day of areas that comes again with a type between those that are published is quarantined", async () => {
  const date = "2021-07-10";
  const at = `landing/activities_hourly/EST/${date}/`;
  const [place] = await runAsLoader(
    "SELECT geo_id, at_2, at_3 FROM intake.nesting WHERE country_code = 'EST' AND geo_type = 'grid_1000m' AND at_3 IS NOT NULL ORDER BY geo_id LIMIT 1",
  );
  const { geo_id: cell, at_2: area, at_3: county } = v.parse(Place, place);
  const hour = (type: string, id: number): string => `${type},${id},${date}T10:00:00Z,100,0,0,0,50`;
  const header = "geo_type,geo_id,time_bucket,people,stays_count,stays_dwell_minutes,stays_devices,devices";
  const file = (...rows: readonly string[]): string => `${[header, ...rows].join("\n")}\n`;
  const types = () => runAsLoader(`SELECT geo_type FROM mobility.activities_hourly WHERE batch_date = '${date}' ORDER BY geo_type`);
  await landing.upload(`${at}part-1.csv`, file(hour("grid_1000m", cell), hour("admin_level_2", county)));
  await landing.upload(`${at}_SUCCESS`, "");
  const published = [{ geo_type: "admin_level_2" }, { geo_type: "grid_1000m" }];
  await until(types, published);
  await landing.upload(`${at}part-2.csv`, file(hour("admin_level_4", area)));
  await landing.upload(
    `${at}manifest.json`,
    JSON.stringify({ files: [{ name: "part-2.csv", crc32c: await landing.crc32c(`${at}part-2.csv`) }] }),
  );
  const { errors } = await quarantined(date, "activities_hourly");
  expect(errors).toEqual([
    {
      file: null,
      line: null,
      error: "The day is published without rows of admin_level_4, which these files have",
      correct: expect.stringContaining("npm run import -- activities_hourly --delete DAY --country C"),
    },
  ]);
  expect(await types()).toEqual(published);
});

it("files that cannot be read, and those of another checksum, are quarantined", async () => {
  const unreadable = "2021-07-05";
  await landing.upload(`${folder(unreadable)}x.csv`, csv(row(unreadable, 10, 100), `${street},${unreadable}T11:00:00Z,1,many,50`));
  await landing.upload(`${folder(unreadable)}_SUCCESS`, "");
  expect((await quarantined(unreadable)).errors).toEqual([
    { file: "x.csv", line: 3, error: 'column people: "many": Unable to parse', correct: "a value of the type INT64" },
  ]);
  const changed = "2021-07-06";
  await landing.upload(`${folder(changed)}x.csv`, csv(row(changed, 10, 100)));
  await landing.upload(`${folder(changed)}manifest.json`, JSON.stringify({ files: [{ name: "x.csv", crc32c: "AAAAAA==" }] }));
  expect((await quarantined(changed)).errors).toEqual([
    { file: "x.csv", line: null, error: expect.stringContaining("its manifest says AAAAAA=="), correct: "a file with the CRC32C AAAAAA==" },
  ]);
  const unknown = "2021-07-07";
  await landing.upload(`${folder(unknown)}x.csv`, "street,devices\n1,2\n");
  await landing.upload(`${folder(unknown)}_SUCCESS`, "");
  expect((await quarantined(unknown)).errors.map(({ error }) => error)).toContain('column "street": the table has no such column');
  for (const date of [unreadable, changed, unknown]) expect(await loadsOf(date)).toEqual([]);
});

it("files that no load job can read are quarantined, and names with any other characters are loaded", async () => {
  const date = "2021-07-10";
  const names = ["a b.csv", "õ 日本.csv", "per%cent.csv", "plus+&=#?.csv", "quote'\".csv", "[x].csv"];
  for (const [index, name] of names.entries()) await landing.upload(`${folder(date)}${name}`, csv(row(date, 10 + index, 100)));
  await bring(date, "manifest-1.json", names);
  await until(async () => (await loadsOf(date)).length, 1);
  expect(await loadsOf(date)).toEqual([{ version: 1, row_count: names.length }]);
  await landing.upload(`${folder(date)}a*.csv`, csv(row(date, 20, 100)));
  await bring(date, "manifest-2.json", ["a*.csv"]);
  expect((await quarantined(date)).errors).toEqual([
    { file: "a*.csv", line: null, error: "has a * in its name, which stands for any text", correct: "a name without *" },
  ]);
  expect(await landing.names(folder(date))).toEqual([...names, "manifest-1.json"].toSorted());
  const corrupt = "2021-07-11";
  await landing.upload(`${folder(corrupt)}x.csv.gz`, csv(row(corrupt, 10, 100)));
  await landing.upload(`${folder(corrupt)}_SUCCESS`, "");
  expect((await quarantined(corrupt)).errors).toMatchObject([
    { file: "x.csv.gz", error: "is a corrupt gzip file: incorrect header check" },
  ]);
});

it.each([
  [
    "a corrupt Parquet file",
    "2021-07-13",
    "a.parquet",
    Buffer.from(`PAR1${"x".repeat(200)}PAR1`),
    "a.parquet",
    "Input file is not in Parquet format.",
    "a whole Parquet",
  ],
  [
    "CSV in a file .parquet",
    "2021-07-14",
    "a.parquet",
    Buffer.from(csv(row("2021-07-14", 10, 100))),
    "a.parquet",
    "Input file is not in Parquet format.",
    "a whole Parquet",
  ],
  [
    "Parquet in a file .csv",
    "2021-07-15",
    "a.csv",
    Buffer.from("PAR1\u0015\u0004x\nPAR1"),
    "a.csv",
    "is a Parquet file",
    "a name that ends in .parquet",
  ],
  ["a header without rows", "2021-07-16", "a.csv", Buffer.from(csv()), null, "The files have no rows", "one row or more"],
  [
    "a manifest of over 4 MiB",
    "2021-07-17",
    "manifest.json",
    Buffer.alloc(2 ** 22 + 1, " "),
    "manifest.json",
    "has 4194305 bytes, and a manifest has at most 4194304",
    "files",
  ],
])("%s is quarantined with its reason", async (_, date, name, content, file, error, correct) => {
  await landing.upload(`${folder(date)}${name}`, content);
  if (name !== "manifest.json") await landing.upload(`${folder(date)}_SUCCESS`, "");
  const { errors, total } = await quarantined(date);
  expect(errors).toEqual([{ file, line: name === "a.csv" && file !== null ? 1 : null, error, correct: expect.stringContaining(correct) }]);
  expect(total).toBe(1);
  expect(await landing.names(folder(date))).toEqual([]);
  expect(await loadsOf(date)).toEqual([]);
});

it("a Parquet file with columns of other types is quarantined, and errors.json names the first 20 of many faults", async () => {
  const date = "2021-07-18";
  const types = `${HEADER}\n${street},${date}T10:00:00Z,1,many,50\n`;
  await landing.upload(`${folder(date)}a.parquet`, await parquetOf(types));
  await landing.upload(`${folder(date)}_SUCCESS`, "");
  expect((await quarantined(date)).errors).toEqual([
    {
      file: "a.parquet",
      line: null,
      error: "Parquet column 'people' has type STRING which does not match the target type INT64.",
      correct: expect.stringContaining("the table's columns in their types"),
    },
  ]);
  const many = "2021-07-19";
  const files = Array.from({ length: 25 }, (_, index) => ({ name: `${index}.csv`, crc32c: "AAAAAA==" }));
  await landing.upload(`${folder(many)}manifest.json`, JSON.stringify({ files }));
  const { errors, total } = await quarantined(many);
  expect([errors.length, total]).toEqual([20, 25]);
});

it("a day that has not begun is quarantined", async () => {
  const date = "2096-07-08";
  await landing.upload(`${folder(date)}part-1.csv`, csv(row(date, 10, 100)));
  await landing.upload(`${folder(date)}_SUCCESS`, "");
  const { errors, names } = await quarantined(date);
  expect(names.sort()).toEqual(["_SUCCESS", "errors.json", "part-1.csv"]);
  const today = civilDate(new Date(), "Europe/Tallinn");
  const correct = `a day up to ${today}, which it is in Europe/Tallinn`;
  expect(errors).toEqual([{ file: null, line: null, error: `${date} is a day in the future`, correct }]);
  expect(await loadsOf(date)).toEqual([]);
});
