import { readFileSync, writeFileSync } from "node:fs";

/** Forgets the most memory that a process (by its id) has had so far: from now on it counts from what it has. Linux only. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** The most memory that a process has had in RAM since `forgetPeak`, in MiB. */
export function peakMib(pid: number): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) / 1024;
}
