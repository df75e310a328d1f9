import { readdirSync, readFileSync } from "node:fs";

/** Returns the CPU milliseconds that all threads of a process that are still there have used. Linux only. */
export function cpuMs(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) nanoseconds += onCpu(`/proc/${pid}/task/${thread}/schedstat`);
  return nanoseconds / 1e6;
}

/** Returns the milliseconds that the main thread of a process, which runs its event loop, was ready to run and had no processor. Linux only. */
export function mainThreadWaitMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;
}

/** Source: https://docs.kernel.org/scheduler/sched-stats.html, the first number of schedstat. 0 for a thread that has just ended. */
function onCpu(file: string): number {
  try {
    return Number(readFileSync(file, "utf8").split(" ")[0]);
  } catch {
    return 0;
  }
}
