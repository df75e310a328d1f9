import { expect, it } from "vitest";
import { describeFinding } from "../infra/testing/fuzz/finding.ts";
import { runFuzz } from "../infra/testing/fuzz/run-fuzz.ts";
import { ready } from "../infra/testing/service.ts";
import { parseConfig } from "../shared/runtime/config.ts";
import { catalogue } from "./catalogue.ts";

it("no response is a 5xx or violates the OpenAPI documents, and no rejected request leaves anything behind", async () => {
  const target = { ready, config: parseConfig(process.env) };
  const functionNames = catalogue.map(({ name }) => name);
  const { findings } = await runFuzz(target, {
    requests: 1400,
    lookAtEvery: 3,
    seed: 1,
    today: new Date(),
    functionNames,
    say: () => undefined,
  });
  expect(findings.map(describeFinding)).toEqual([]);
}, 120_000);
