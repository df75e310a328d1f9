import { expect, it } from "vitest";
import { parseSimulateCommand } from "./options.ts";

it("runs 100,000 schedules of everything by default", () => {
  expect(parseSimulateCommand([])).toMatchObject({
    schedules: 100_000,
    seed: 1,
    replay: undefined,
    subjects: ["jobs", "ticks"],
    mutants: false,
  });
  expect(parseSimulateCommand(["--mutants"]).schedules).toBe(3000);
  expect(parseSimulateCommand(["--schedules", "5", "--replay", "0", "--what", "jobs", "--workers", "3"])).toMatchObject({
    schedules: 5,
    replay: 0,
    subjects: ["jobs"],
    workers: 3,
  });
});

it.each([
  [["--what", "x"], '--what must be jobs or ticks, not "x"'],
  [["--schedules", "0"], '--schedules must be a whole number from 1 to 999999999, not "0"'],
  [["--replay", "-1"], "--replay"],
])("rejects %j with the reason", (args, message) => {
  expect(() => parseSimulateCommand(args)).toThrow(message);
});
