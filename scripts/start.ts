import { join } from "node:path";
import { awaitSample } from "../infra/local/await-sample.ts";
import { Interrupted } from "../infra/local/child.ts";
import { parseOptions } from "../infra/local/options.ts";
import { type RunningService, startService } from "../infra/local/service.ts";
import { messageOf } from "../shared/runtime/error-message.ts";
import { shortPath } from "./short-path.ts";
import { listenForStop } from "./stop-signal.ts";
import { START_USAGE } from "./usage.ts";

/** `./scripts/start` serves until stopped. */
async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(START_USAGE);
    return;
  }
  const startedAt = performance.now();
  const stop = listenForStop();
  let service: RunningService;
  try {
    service = await startService(options, (line) => console.log(line), { signal: stop.signal });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    // Google's clients would repeat what they had begun for some seconds.
    process.exit(stop.exitCode());
  }
  const { ready } = service;
  const [acme] = ready.customers;
  const kept = options.dataDirectory === undefined ? "" : `\n  Kept between runs in ${shortPath(options.dataDirectory)}`;
  console.log(`Ready after ${secondsSince(startedAt)} s. The sample data follows; a request waits for what it needs of it

  Console    ${ready.users_base_url}/console/  key ${acme?.keys.admin}
  Users API  ${ready.users_base_url}
  Data API   ${ready.data_base_url}
  Addresses and keys of two sample customers: ${shortPath(join(options.stateDirectory, "ready.json"))}${kept}

  curl -s -X POST ${ready.users_base_url}/login-with-apikey -H 'x-api-key: ${acme?.keys.storage}'

Ctrl-C stops it.`);
  // What it fails with is the service's failure.
  awaitSample(service, (line) => console.log(line)).then(
    () => console.log(`The sample data is complete after ${secondsSince(startedAt)} s`),
    () => undefined,
  );
  const reason = await Promise.race([stop.received, service.failed]);
  if (!stop.signal.aborted) console.error(reason);
  const exitCode = stop.signal.aborted ? 0 : 1;
  await service.stop();
  process.exitCode = exitCode;
}

function secondsSince(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(1);
}

try {
  await main();
} catch (error) {
  console.error(`Cannot start: ${messageOf(error)}`);
  process.exitCode = 1;
}
