import { join } from "node:path";
import { parseOptions } from "../infra/local/options.ts";
import { startService } from "../infra/local/service.ts";
import { shortPath } from "./short-path.ts";
import { START_USAGE } from "./usage.ts";

/** `./scripts/start` serves until stopped. */
async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(START_USAGE);
    return;
  }
  const startedAt = performance.now();
  const stopped = new Promise<string>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve(signal));
  });
  const service = await startService(options, (line) => console.log(line));
  const { ready } = service;
  const [acme] = ready.customers;
  const kept = options.dataDirectory === undefined ? "" : `\n  Kept between runs in ${shortPath(options.dataDirectory)}`;
  console.log(`Ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s

  Users API  ${ready.users_base_url}
  Data API   ${ready.data_base_url}
  Addresses and keys of two sample customers: ${shortPath(join(options.stateDirectory, "ready.json"))}${kept}

  curl -s -X POST ${ready.users_base_url}/login-with-apikey -H 'x-api-key: ${acme?.keys.storage}'

Ctrl-C stops it.`);
  const reason = await Promise.race([stopped, service.failed]);
  const bySignal = reason.startsWith("SIG");
  if (!bySignal) console.error(reason);
  await service.stop();
  process.exitCode = bySignal ? 0 : 1;
}

try {
  await main();
} catch (error) {
  console.error(`Cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
