import { type Child, endChild } from "./child.ts";
import type { FunctionsProcess } from "./functions-process.ts";
import type { CloudReady } from "./messages.ts";
import { leaveState } from "./state-directory.ts";

/** What a start has brought up so far. A stop takes it down, however far the start has come. */
export interface ServiceParts {
  readonly stateDirectory: string;
  functions?: FunctionsProcess;
  cloud?: Child<CloudReady>;
  stopSchedules?: () => void;
  /** Whether the sample is complete. */
  isFilled: boolean;
  /** What ends from now on does so because it was told to. */
  isStopping: boolean;
}

/** Stops a service, or what there is of one: first what calls it, then the functions, then the local cloud that they use. Leaves no process. */
export async function stopService(parts: ServiceParts): Promise<void> {
  parts.isStopping = true;
  parts.stopSchedules?.();
  await parts.functions?.stopRestarting();
  const drained = parts.functions?.end();
  // Requests that wait for sample data would wait until they are cut off.
  if (parts.isFilled) await drained;
  await Promise.all([drained, endChild(parts.cloud?.process)]);
  leaveState(parts.stateDirectory);
}

/** Ends a start at once. Without the local cloud, what the functions have begun would wait for its answers for minutes. */
export function interruptService({ functions, cloud }: ServiceParts): void {
  functions?.kill();
  void endChild(cloud?.process);
}
