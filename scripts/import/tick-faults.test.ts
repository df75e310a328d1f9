import { describe, expect, test } from "vitest";
import { madeCsv } from "./testing/made-files.ts";
import { NOW, prepared, refusalOf } from "./testing/prepared.ts";

const PRESENCE = "tick,country_code,cell_id,people,devices";
const CELL = 51520004124000;
const at = (tick: string, cell = CELL): string => `${tick},EST,${cell},40,8`;
const MINUTE = 60_000;
const fromNow = (minutes: number): string => new Date(NOW.getTime() + minutes * MINUTE).toISOString();

describe("a bad tick is reported with line, column and value", () => {
  test.each([
    ["2026-03-01T12:02:00Z", "2026-03-01T12:02:00Z"],
    ["2026-03-01T12:00:00.000001Z", "2026-03-01T12:00:00.000001Z"],
    ["2026-03-01T11:50:30.5Z", "2026-03-01T11:50:30.5Z"],
    ["2026-03-01T13:32+01:30", "2026-03-01T12:02:00Z"],
  ])("%s, because it is not on the five-minute grid", async (tick, shown) => {
    expect(await refusalOf("presence", madeCsv(PRESENCE, at("2026-03-01T12:00:00Z"), at(tick)))).toContain(
      `  line 3, column tick: "${shown}" is not a tick: ticks are every 5 minutes from the full hour`,
    );
  });

  test.each(["2026-02-27T12:00:00Z", "2026-02-27T11:55:00Z", "2026-02-27T12:55:00Z", "2019-01-07T00:00:00Z"])(
    "%s, for its partition has expired",
    async (tick) => {
      expect(await refusalOf("presence", madeCsv(PRESENCE, at("2026-03-01T12:00:00Z"), at(tick)))).toContain(
        `  line 3, column tick: "${tick}" is too old: presence is kept for 2 days from the start of its hour, and it is 2026-03-01T12:02:00Z by this machine's clock`,
      );
    },
  );

  test("if it is in the future", async () => {
    expect(await refusalOf("presence", madeCsv(PRESENCE, at("2026-03-01T12:10:00Z")))).toContain(
      '  line 2, column tick: "2026-03-01T12:10:00Z" is more than 5 minutes in the future: it is 2026-03-01T12:02:00Z by this machine\'s clock',
    );
  });

  test("if it has no offset", async () => {
    expect(await refusalOf("presence", madeCsv(PRESENCE, at("2026-03-01T12:00:00")))).toContain("has no offset");
  });

  test("and the file's column name", async () => {
    const message = await refusalOf("presence", madeCsv(PRESENCE.replace("tick", "at"), at("2026-03-01T12:02:00Z")), "--column", "tick=at");
    expect(message).toContain('line 2, column tick (at): "2026-03-01T12:02:00Z" is not a tick');
  });

  test("once, regardless of its number of rows", async () => {
    const lines = [1, 2, 3].map((cell) => at("2026-03-01T12:01:00Z", cell));
    const message = await refusalOf("presence", madeCsv(PRESENCE, ...lines, at("2026-03-01T12:03:00Z")));
    expect(message.split("\n")).toEqual([
      "FILE has 2 errors. Nothing was loaded:",
      expect.stringMatching(/^ {2}line 2, column tick: .* \(3 rows\)$/),
      expect.stringMatching(/^ {2}line 5, column tick: .* from the full hour$/),
    ]);
  });
});

test("ticks from the oldest kept hour to five minutes ahead are loaded, in any offset notation", async () => {
  const file = madeCsv(PRESENCE, at("2026-03-01 14:05:00+02"), at("2026-02-27T13:00:00Z"));
  const { batches } = await prepared("presence", file);
  expect(batches.map(({ period }) => period)).toEqual(["2026-02-27T13:00:00Z", "2026-03-01T12:05:00Z"]);
});

test("a cell can occur only once per tick", async () => {
  const file = madeCsv(PRESENCE, at(fromNow(-2)), at(fromNow(-7)), at(fromNow(-2)));
  expect(await refusalOf("presence", file)).toMatch(/line 4: the same tick, country_code, cell_id .* as line 2/);
});

test("rows are written in tick order", async () => {
  const { rows, batches } = await prepared("presence", madeCsv(PRESENCE, at(fromNow(-2), 2), at(fromNow(-7), 3), at(fromNow(-2), 1)));
  expect(rows.map(({ cell_id }) => cell_id)).toEqual(["3", "1", "2"]);
  expect(batches).toMatchObject([
    { country: "EST", period: "2026-03-01T11:55:00Z", rows: 1 },
    { country: "EST", period: "2026-03-01T12:00:00Z", rows: 2 },
  ]);
});
