import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { parseOptions } from "../local/options.ts";
import type { Ready } from "../local/ready-file.ts";
import { startService } from "../local/service.ts";
import { requireCustomerLabels } from "./function-queries.ts";
import { startOtlpReceiver } from "./otlp-receiver.ts";

declare module "vitest" {
  export interface ProvidedContext {
    ready: Ready;
    environment: Readonly<Record<string, string>>;
    /** The address of the collector that the functions export their spans to. */
    otlp: string;
  }
}

/**
 * Starts the whole service once for all tests that call it. Each test creates its own customers. The run fails if any query that the service
 * has started meanwhile has no label of its customer.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stateDirectory = mkdtempSync(join(tmpdir(), "populus-test-"));
  const engines = process.env.POPULUS_ENGINES ?? "embedded";
  const options = parseOptions(["--state", stateDirectory, "--engines", engines, "--no-schedule"]);
  const collector = await startOtlpReceiver();
  // The functions' process inherits it.
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  const service = await startService(options, () => undefined);
  await service.filled;
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const { firestore, pubsub } = service.ready.engines;
  console.log(`The service under test: Firestore ${firestore}, Pub/Sub ${pubsub}`);
  project.provide("ready", service.ready);
  project.provide("environment", service.environment);
  project.provide("otlp", collector.url);
  return async () => {
    try {
      await requireCustomerLabels(service.ready);
    } finally {
      await service.stop();
      await collector.close();
      rmSync(stateDirectory, { recursive: true, force: true });
    }
  };
}
