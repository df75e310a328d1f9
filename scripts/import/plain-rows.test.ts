import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ImportError } from "./import-error.ts";
import { madeFile } from "./testing/made-files.ts";
import { prepared } from "./testing/prepared.ts";

const FLOW = "country_code,link_id,time_bucket,direction,people,devices";
const PLAIN = ["EST,1,2026-02-28T21:00:00Z,1,12,7", "UTO,2,2026-02-28T22:00:00Z,-1,0,007", "EST,2,2026-02-28T22:00:00Z,-1,15,9"];
const ACTIVITY = "country_code,geo_type,geo_id,time_bucket,people,stays_count,stays_dwell_minutes,stays_devices,devices";
const ODM = "country_code,batch_date,origin_geo_type,origin_geo_id,destination_geo_type,destination_geo_id,trips,devices";

interface Outcome {
  /** The Parquet file of the rows, undefined if the file is refused. */
  readonly way: string | undefined;
  /** What is loaded, the rows in the order of their values; or why the file is refused. */
  readonly made: unknown;
}

async function outcomeOf(table: string, file: string, options: readonly string[]): Promise<Outcome> {
  try {
    const { parquet, rows, geoTypes, checksum: _, ...others } = await prepared(table, file, ...options);
    return {
      way: basename(parquet),
      made: { ...others, geoTypes: geoTypes.toSorted(), rows: rows.map((row) => JSON.stringify(row)).sort() },
    };
  } catch (error) {
    if (error instanceof ImportError) return { way: undefined, made: error.message.replaceAll(file, "FILE") };
    throw error;
  }
}

/** Expects that a file is read as the same one packed, which only the general reading takes. Returns whether it was read as a plain one. */
async function isReadPlainly(table: string, content: string, options: readonly string[] = []): Promise<boolean> {
  const { way, made } = await outcomeOf(table, madeFile("made.csv", content), options);
  const general = await outcomeOf(table, madeFile("made.csv.gz", gzipSync(content)), options);
  expect(made).toEqual(general.made);
  expect(general.way).not.toBe("plain.parquet");
  return way === "plain.parquet";
}

const text = (...lines: readonly string[]): string => lines.map((one) => `${one}\n`).join("");
/** A file of flows, one line of which has other values. */
const flows = (changes: Readonly<Record<string, string>>): string => {
  const line = Object.entries({
    country_code: "EST",
    link_id: "3",
    time_bucket: "2026-02-28T23:00:00Z",
    direction: "1",
    people: "5",
    devices: "6",
  });
  return text(FLOW, ...PLAIN, line.map(([name, value]) => changes[name] ?? value).join(","));
};

describe("a file of plain values is read as such", () => {
  test.each([
    ["flows", "flows_hourly", text(FLOW, ...PLAIN), []],
    ["without the last line's end", "flows_hourly", text(FLOW, ...PLAIN).trimEnd(), []],
    [
      "columns in another order, under other names",
      "flows_hourly",
      text("n,link,time_bucket,direction,who,devices", "1,9,2026-02-28T21:00:00Z,1,EST,5"),
      ["--column", "people=n", "--column", "link_id=link", "--column", "country_code=who"],
    ],
    [
      "a country of the command line",
      "flows_hourly",
      text(FLOW.slice("country_code,".length), "1,2026-02-28T21:00:00Z,1,5,5"),
      ["--set", "country_code=UTO"],
    ],
    ["a day beside the hour", "flows_hourly", text(`${FLOW},batch_date`, ...PLAIN.map((line) => `${line},2026-02-28`).slice(0, 2)), []],
    [
      "areas of several types",
      "activities_hourly",
      text(ACTIVITY, "EST,grid_250m,1,2026-02-28T21:00:00Z,5,1,2,3,4", "EST,admin_level_4,1,2026-02-28T21:00:00Z,5,1,2,3,4"),
      [],
    ],
    [
      "days of any year",
      "odm_daily",
      text(ODM, "EST,2026-02-28,grid_1000m,1,grid_1000m,2,30,7", "UTO,1970-01-01,grid_1000m,1,admin_level_4,2,30,7"),
      [],
    ],
  ])("%s", async (_name, table, content, options) => {
    expect(await isReadPlainly(table, content, options)).toBe(true);
  });

  test("its checksum is that of the bytes", async () => {
    const [one, same, other] = [text(FLOW, ...PLAIN), text(FLOW, ...PLAIN), text(FLOW, ...PLAIN.toReversed())];
    const checksums = [one, same, other].map(async (content) => (await prepared("flows_hourly", madeFile("made.csv", content))).checksum);
    const [first, second, third] = await Promise.all(checksums);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });
});

describe("any other file is read, or refused, as it is without the plain reading", () => {
  test.each([
    ...[
      "3.0",
      "3.5",
      "3.",
      ".5",
      "1e3",
      "1E3",
      "0x10",
      "0b11",
      "1_000",
      " 3",
      "3 ",
      "+3",
      "-3",
      "-0",
      "--3",
      "",
      '"3"',
      "3,",
      "3,4",
      "x",
      "3\r",
    ].map((value) => ["people", value]),
    ...["9007199254740991", "9007199254740992", "9223372036854775808", "00000000000000000000000000000003"].map((value) => [
      "link_id",
      value,
    ]),
    ...["0", "2", "-1.0", "+1", "-1"].map((value) => ["direction", value]),
    ...["EST ", "est", "XXX", "", "NOM", '"EST"'].map((value) => ["country_code", value]),
    ...[
      ...["2026-02-28T23:00Z", "2026-02-28 23:00:00Z", "2026-02-28T23:00:00", "2026-02-28T24:00:00Z", "2026-02-28T23:30:00Z"],
      ...[
        "2026-2-28T23:00:00Z",
        "2026-02-29T23:00:00Z",
        "02026-02-28T23:00:00Z",
        "2026-03-01T01:00:00+02",
        "1999-02-28T23:00:00Z",
        "yesterday",
      ],
    ].map((value) => ["time_bucket", value]),
  ])("%s of %j", async (column = "", value = "") => {
    const isPlain =
      ["9007199254740991", "00000000000000000000000000000003", "NOM"].includes(value) || (column === "direction" && value === "-1");
    expect(await isReadPlainly("flows_hourly", flows({ [column]: value }))).toBe(isPlain);
  });

  test.each([
    ["a blank line", "flows_hourly", text(FLOW, ...PLAIN, "", "EST,3,2026-02-28T23:00:00Z,1,5,6")],
    ["a blank line at the end", "flows_hourly", text(FLOW, ...PLAIN, "")],
    ["a line of too few values", "flows_hourly", text(FLOW, ...PLAIN, "EST,3,2026-02-28T23:00:00Z,1,5")],
    [
      "lines of too few and of too many values",
      "flows_hourly",
      text(FLOW, ...PLAIN, "EST,3,2026-02-28T23:00:00Z,1,5", "EST,4,2026-02-28T23:00:00Z,1,5,6,7"),
    ],
    ["line ends of carriage returns", "flows_hourly", text(FLOW, ...PLAIN).replaceAll("\n", "\r\n")],
    ["a line end of a carriage return alone", "flows_hourly", `${text(FLOW, ...PLAIN).trimEnd()}\rEST,3,2026-02-28T23:00:00Z,1,5,6\n`],
    ["a column that is not loaded", "flows_hourly", text(`${FLOW},note`, ...PLAIN.map((line) => `${line},1`))],
    ["a column that is missing", "flows_hourly", text(FLOW.replace(",devices", ""), "EST,1,2026-02-28T21:00:00Z,1,12")],
    ["a quoted header", "flows_hourly", text(FLOW.replace("people", '"people"'), ...PLAIN)],
    ["a byte order mark", "flows_hourly", `\ufeff${text(FLOW, ...PLAIN)}`],
    ["a header alone", "flows_hourly", text(FLOW)],
    ["an empty header", "flows_hourly", text("", ...PLAIN)],
    ["a name twice", "flows_hourly", text(`${FLOW},people`, ...PLAIN.map((line) => `${line},1`))],
    ["a zero byte", "flows_hourly", text(FLOW, ...PLAIN, "EST,3,2026-02-28T23:00:00Z,1,5,6\0")],
    ["the same key twice", "flows_hourly", text(FLOW, ...PLAIN, PLAIN[0] ?? "")],
    ["another day than the hour's", "flows_hourly", text(`${FLOW},batch_date`, ...PLAIN.map((line) => `${line},2026-02-27`))],
    ["days that are written otherwise", "odm_daily", text(ODM, "EST,2026-2-28,grid_1000m,1,grid_1000m,2,30,7")],
    ["days with other marks", "odm_daily", text(ODM, "EST,2026/02/28,grid_1000m,1,grid_1000m,2,30,7")],
    ["a speed", "odm_daily", text(`${ODM},average_speed_kmh`, "EST,2026-02-28,grid_1000m,1,grid_1000m,2,30,7,55.5")],
  ])("%s", async (_name, table, content) => {
    expect(await isReadPlainly(table, content)).toBe(false);
  });

  test("one column of the file for two of the table, or a value of the command line that is refused", async () => {
    const [header, line] = [FLOW.replace(",devices", ""), "EST,1,2026-02-28T21:00:00Z,1,12"];
    expect(await isReadPlainly("flows_hourly", text(header, line), ["--column", "devices=people"])).toBe(false);
    const undirected = text(FLOW.replace("direction,", ""), "EST,1,2026-02-28T21:00:00Z,12,7");
    expect(await isReadPlainly("flows_hourly", undirected, ["--set", "direction=0"])).toBe(false);
    expect(await isReadPlainly("flows_hourly", undirected, ["--set", "direction=-1"])).toBe(true);
    expect(await isReadPlainly("flows_hourly", text(header, line), ["--set", "devices=12"])).toBe(true);
    expect(await isReadPlainly("flows_hourly", text(FLOW.replace("people", '"people"'), ...PLAIN), ["--column", 'people="people"'])).toBe(
      false,
    );
  });

  test("a time of the command line that is not the start of an hour", async () => {
    const timeless = text(FLOW.replace("time_bucket,", ""), "EST,1,1,12,7");
    expect(await isReadPlainly("flows_hourly", timeless, ["--set", "time_bucket=2026-02-28T21:30:00Z"])).toBe(false);
  });

  test("a file of another type by its name", async () => {
    const { made } = await outcomeOf("flows_hourly", madeFile("made.parquet", text(FLOW, ...PLAIN)), []);
    expect(made).toBe("FILE is not a Parquet file: it does not begin with PAR1");
  });

  test("any values", async () => {
    const value = fc.oneof(
      { weight: 8, arbitrary: fc.nat(1000).map(String) },
      { weight: 1, arbitrary: fc.stringMatching(/^[-+]?[0-9]{0,3}[.eEx_, ]?[0-9]{0,3}$/) },
    );
    const row = fc.tuple(value, value, value).map(([link, people, devices]) => `EST,${link},2026-02-28T21:00:00Z,1,${people},${devices}`);
    let plain = 0;
    const runs = fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 4 }), async (rows) => {
      if (await isReadPlainly("flows_hourly", text(FLOW, ...rows))) plain++;
    });
    await fc.assert(runs, { seed: 22, numRuns: 30 });
    expect(plain).toBeGreaterThan(2);
  });
});
