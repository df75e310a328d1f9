import { expect, it } from "vitest";
import { type ClientsRun, reportOf } from "./report.ts";

const pass = { client: "bq", check: "query", seconds: 1, failure: undefined };
const RUN: ClientsRun = { found: ["bq"], missing: [], named: false, results: [pass] };
const GCLOUD = "Not run with the client gcloud: gcloud is not installed";

it.each<readonly [what: string, run: Partial<ClientsRun>, succeeded: boolean, lines: readonly string[]]>([
  ["every check passed", {}, true, ["1 passed, 0 failed"]],
  ["a check failed", { results: [pass, { ...pass, check: "head", failure: "x" }] }, false, ["1 passed, 1 failed"]],
  [
    "a client that is here was not run",
    { found: ["bq", "pip"] },
    false,
    ["Not run: pip is here, but no check of it was run", "1 passed, 0 failed"],
  ],
  ["a client is not here", { missing: [GCLOUD] }, true, [GCLOUD, "1 passed, 0 failed"]],
  ["a named client is not here", { missing: [GCLOUD], named: true }, false, [GCLOUD, "1 passed, 0 failed"]],
])("when %s", (_, run, succeeded, lines) => {
  expect(reportOf({ ...RUN, ...run })).toEqual({ succeeded, lines });
});
