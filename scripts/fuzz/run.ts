import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalogue } from "../../functions/catalogue.ts";
import { awaitSample } from "../../infra/local/await-sample.ts";
import { parseOptions } from "../../infra/local/options.ts";
import { startService } from "../../infra/local/service.ts";
import { describeFinding, type Outcome, sayAloud as say } from "../../infra/testing/fuzz/finding.ts";
import { runFuzz } from "../../infra/testing/fuzz/run-fuzz.ts";
import type { Target } from "../../infra/testing/fuzz/target.ts";
import { runIsolation } from "../../infra/testing/isolation/run-isolation.ts";
import { presentTicks } from "../../infra/testing/isolation/ticks.ts";
import { runRevocation } from "../../infra/testing/revocation/run-revocation.ts";
import { parseConfig } from "../../shared/runtime/config.ts";
import type { FuzzCommand, Phase } from "./options.ts";

const RUNS: Readonly<Record<Phase, (target: Target, command: FuzzCommand) => Promise<Outcome>>> = {
  isolation: (target, { requests = 50_000, seed }) =>
    runIsolation(target, { requests, seed, today: new Date(), fireTick: presentTicks(target), say }),
  fuzz: (target, { requests = 100_000, seed }) =>
    runFuzz(target, { requests, seed, today: new Date(), functionNames: catalogue.map(({ name }) => name), say }),
  revocation: (target, { requests = 25_000, seed }) => runRevocation(target, { requests, seed, endpoints: catalogue, say }),
};

/** Runs the phases against a service of their own, and prints what they find. Returns the number of findings. */
export async function runPhases(command: FuzzCommand): Promise<number> {
  const state = mkdtempSync(join(tmpdir(), "populus-fuzz-"));
  const options = parseOptions(["--state", state, "--engines", process.env.POPULUS_ENGINES ?? "embedded", "--no-schedule"]);
  const service = await startService(options, say);
  await awaitSample(service, say);
  let findings = 0;
  try {
    const target = { ready: service.ready, config: parseConfig(service.environment) };
    for (const phase of command.phases) {
      const startedAt = performance.now();
      const outcome = await RUNS[phase](target, command);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.log(`\n${phase}, seed ${command.seed}, ${seconds} s`);
      for (const [name, number] of Object.entries(outcome.counts)) console.log(`  ${name}: ${number}`);
      for (const finding of outcome.findings) console.log(describeFinding(finding));
      findings += outcome.findings.length;
    }
  } finally {
    await service.stop();
    rmSync(state, { recursive: true, force: true });
  }
  return findings;
}
