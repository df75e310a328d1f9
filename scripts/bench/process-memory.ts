import { readFileSync, writeFileSync } from "node:fs";

/** Resets a process's peak memory to its current memory. Linux only. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** Returns a process's peak resident memory since `resetPeak`, in MiB. */
export function peakMib(pid: number): number {
  return statusMib(pid, "VmHWM");
}

/** Returns a process's current resident memory in MiB. */
export function residentMib(pid: number): number {
  return statusMib(pid, "VmRSS");
}

function statusMib(pid: number, field: string): number {
  const [, kibibytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) / 1024;
}
