import { expect, it } from "vitest";
import { describeFinding } from "../infra/testing/fuzz/finding.ts";
import { runIsolation } from "../infra/testing/isolation/run-isolation.ts";
import { pastTicks } from "../infra/testing/isolation/ticks.ts";
import { ready } from "../infra/testing/service.ts";
import { parseConfig } from "../shared/runtime/config.ts";

it("no response, file, document, row or log line of one customer contains data of another with the same uid prefix", async () => {
  const target = { ready, config: parseConfig(process.env) };
  const options = { requests: 500, seed: 1, today: new Date(), fireTick: pastTicks(target), say: () => undefined };
  const { counts, findings } = await runIsolation(target, options);
  expect(findings.map(describeFinding)).toEqual([]);
  for (const searched of ["files", "documents", "warehouse rows", "rows of views", "log lines"])
    expect(counts[`${searched} searched`], searched).toBeGreaterThan(0);
});
