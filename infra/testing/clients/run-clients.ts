import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../../shared/runtime/error-message.ts";
import { parseOptions } from "../../local/options.ts";
import { startService } from "../../local/service.ts";
import { createCheckedCustomer } from "./checked-customer.ts";
import type { Check, CheckContext, Client } from "./client.ts";

/** How a check of a client ended. */
export interface CheckResult {
  readonly client: string;
  readonly check: string;
  readonly seconds: number;
  /** What went wrong, undefined for a check that passed. */
  readonly failure: string | undefined;
}

/** What the checks of a run share. */
export type SharedContext = Omit<CheckContext, "folder">;

/** A service with sample data on free ports, and a customer whose clients are checked. */
export interface ClientsService {
  readonly context: SharedContext;
  stop(): Promise<void>;
}

/** Starts a service of its own for clients. `options` are those of `./scripts/start` that say which sample data it has. */
export async function startForClients(options: readonly string[]): Promise<ClientsService> {
  const state = mkdtempSync(join(tmpdir(), "populus-clients-"));
  const engines = process.env.POPULUS_ENGINES ?? "embedded";
  const service = await startService(parseOptions(["--state", state, "--engines", engines, "--no-schedule", ...options]), () => undefined);
  const stop = async (): Promise<void> => {
    await service.stop();
    rmSync(state, { recursive: true, force: true });
  };
  try {
    const [, other] = service.ready.customers;
    if (!other) throw new Error("The service has no second sample customer");
    const { ready, environment } = service;
    const customer = await createCheckedCustomer(ready);
    return { context: { ready, environment, customer, other: { uid: other.uid, dataset: other.personal_dataset } }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs one check in an empty folder of its own. */
export async function runCheck({ name: client }: Client, check: Check, shared: SharedContext): Promise<CheckResult> {
  const folder = mkdtempSync(join(tmpdir(), "populus-check-"));
  const startedAt = performance.now();
  const end = (failure: string | undefined): CheckResult => ({
    client,
    check: check.name,
    seconds: (performance.now() - startedAt) / 1000,
    failure,
  });
  try {
    await check.run({ ...shared, folder });
    return end(undefined);
  } catch (error) {
    return end(messageOf(error));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
