import { describe, expect, test } from "vitest";
import { madeCsv } from "./testing/made-files.ts";
import { NOW, prepared, refusalOf } from "./testing/prepared.ts";

const PRESENCE = "tick,country_code,cell_id,people,devices";
const CELL = 51520004124000;
const at = (tick: string, cell = CELL): string => `${tick},EST,${cell},40,8`;
const MINUTE = 60_000;
const fromNow = (minutes: number): string => new Date(NOW.getTime() + minutes * MINUTE).toISOString();

describe("a tick is refused by line, column and value", () => {
  test.each([
    ["2026-03-01T12:02:00Z", "2026-03-01T12:02:00Z"],
    ["2026-03-01T12:00:00.000001Z", "2026-03-01T12:00:00.000001Z"],
    ["2026-03-01T11:50:30.5Z", "2026-03-01T11:50:30.5Z"],
    ["2026-03-01T13:32+01:30", "2026-03-01T12:02:00Z"],
  ])("%s, for it is not of the grid of five minutes", async (tick, shown) => {
    expect(await refusalOf("presence", madeCsv(PRESENCE, at("2026-03-01T12:00:00Z"), at(tick)))).toContain(
      `  line 3, column tick: "${shown}" is not a tick: these come every 5 minutes from the full hour on`,
    );
  });

  test.each(["2026-02-27T12:00:00Z", "2026-02-27T11:55:00Z", "2026-02-27T12:55:00Z", "2019-01-07T00:00:00Z"])(
    "%s, for its partition has expired",
    async (tick) => {
      expect(await refusalOf("presence", madeCsv(PRESENCE, at("2026-03-01T12:00:00Z"), at(tick)))).toContain(
        `  line 3, column tick: "${tick}" is too old: an hour of presence is gone 2 days after it began, and it is 2026-03-01T12:02:00Z`,
      );
    },
  );

  test("for it is in the future", async () => {
    expect(await refusalOf("presence", madeCsv(PRESENCE, at("2026-03-01T12:10:00Z")))).toContain(
      '  line 2, column tick: "2026-03-01T12:10:00Z" is more than 5 minutes in the future: it is 2026-03-01T12:02:00Z',
    );
  });

  test("for it is a time without an offset", async () => {
    expect(await refusalOf("presence", madeCsv(PRESENCE, at("2026-03-01T12:00:00")))).toContain("has no offset");
  });

  test("under the file's name for it", async () => {
    const message = await refusalOf("presence", madeCsv(PRESENCE.replace("tick", "at"), at("2026-03-01T12:02:00Z")), "--column", "tick=at");
    expect(message).toContain('line 2, column tick (at): "2026-03-01T12:02:00Z" is not a tick');
  });

  test("once, however many rows it has", async () => {
    const lines = [1, 2, 3].map((cell) => at("2026-03-01T12:01:00Z", cell));
    const message = await refusalOf("presence", madeCsv(PRESENCE, ...lines, at("2026-03-01T12:03:00Z")));
    expect(message.split("\n")).toEqual([
      "FILE has 2 faults, so nothing of it was loaded:",
      expect.stringMatching(/^ {2}line 2, column tick: .* \(3 rows\)$/),
      expect.stringMatching(/^ {2}line 5, column tick: .* from the full hour on$/),
    ]);
  });
});

test("ticks from the oldest hour that is kept to five minutes ahead are loaded, however their offset is written", async () => {
  const file = madeCsv(PRESENCE, at("2026-03-01 14:05:00+02"), at("2026-02-27T13:00:00Z"));
  const { batches } = await prepared("presence", file);
  expect(batches.map(({ period }) => period)).toEqual(["2026-02-27T13:00:00Z", "2026-03-01T12:05:00Z"]);
});

test("a cell is there once a tick", async () => {
  const file = madeCsv(PRESENCE, at(fromNow(-2)), at(fromNow(-7)), at(fromNow(-2)));
  expect(await refusalOf("presence", file)).toMatch(/line 4: the same tick, country_code, cell_id .* as line 2/);
});

test("the rows are written in the order of ticks", async () => {
  const { rows, batches } = await prepared("presence", madeCsv(PRESENCE, at(fromNow(-2), 2), at(fromNow(-7), 3), at(fromNow(-2), 1)));
  expect(rows.map(({ cell_id }) => cell_id)).toEqual(["3", "1", "2"]);
  expect(batches).toMatchObject([
    { country: "EST", period: "2026-03-01T11:55:00Z", rows: 1 },
    { country: "EST", period: "2026-03-01T12:00:00Z", rows: 2 },
  ]);
});
