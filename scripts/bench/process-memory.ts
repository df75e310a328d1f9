import { readFileSync, writeFileSync } from "node:fs";

/** Forgets the most memory that a process (by its id) has had so far: from now on it counts from what it has. Linux only. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** The most memory that a process has had in RAM since `forgetPeak`, in MiB. */
export function peakMib(pid: number): number {
  return statusMib(pid, "VmHWM");
}

/** The memory that a process has in RAM now, in MiB. */
export function residentMib(pid: number): number {
  return statusMib(pid, "VmRSS");
}

function statusMib(pid: number, field: string): number {
  const [, kibibytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) / 1024;
}
