import { expect, it } from "vitest";
import { parseFuzzCommand } from "./options.ts";

it("runs all phases by default", () => {
  expect(parseFuzzCommand([])).toEqual({ help: false, requests: undefined, seed: 1, phases: ["isolation", "fuzz", "revocation"] });
  expect(parseFuzzCommand(["--only", "fuzz", "--requests", "20", "--seed", "0"])).toMatchObject({
    requests: 20,
    seed: 0,
    phases: ["fuzz"],
  });
});

it.each([
  [["--only", "x"], '--only must be isolation, fuzz, revocation, not "x"'],
  [["--requests", "0"], '--requests must be a whole number from 1 to 999999, not "0"'],
  [["--seed", "1e3"], '--seed must be a whole number from 0 to 999999, not "1e3"'],
])("rejects %j with the reason", (args, message) => {
  expect(() => parseFuzzCommand(args)).toThrow(message);
});
