import { cpSync, existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { inject, vi } from "vitest";
import { startPersistent } from "./persistent-service.ts";

const PREPARED = join(inject("runFolder"), "data");
const MAKING = join(inject("runFolder"), "making");

/**
 * Copies a data folder that a service has filled and left: four days of sample data and the sample customers. For tests of what comes after
 * a first start, which takes twice as long as a later one. The first test of a run that asks makes it.
 */
export async function copyPreparedData(folder: string): Promise<void> {
  if (isFirst()) {
    const service = await startPersistent(join(MAKING, "data"), { args: ["--no-schedule", "--days", "4"] });
    await service.filled();
    await service.stop();
    renameSync(join(MAKING, "data"), PREPARED);
  }
  await vi.waitUntil(() => existsSync(PREPARED), { timeout: 100_000 });
  cpSync(PREPARED, folder, { recursive: true });
}

/** Whether nobody has begun to make it. Making a folder fails for all but one. */
function isFirst(): boolean {
  try {
    mkdirSync(MAKING);
    return true;
  } catch {
    return false;
  }
}
