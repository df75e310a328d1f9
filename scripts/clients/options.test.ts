import { expect, it } from "vitest";
import { parseClientsCommand } from "./options.ts";

const KNOWN = ["bq", "python-bigquery"];

it("runs all checks of all clients by default", () => {
  expect(parseClientsCommand([], KNOWN)).toMatchObject({ help: false, quick: false, list: false, names: [] });
  expect(parseClientsCommand(["--quick", "bq"], KNOWN)).toMatchObject({ quick: true, names: ["bq"] });
});

it.each([
  [["gcloud"], 'There is no client "gcloud"; there are bq, python-bigquery'],
  [["--fast"], "Unknown option '--fast'"],
])("rejects %j with the reason", (args, message) => {
  expect(() => parseClientsCommand(args, KNOWN)).toThrow(message);
});
