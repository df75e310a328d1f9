/** One thing that happened in a world. */
export interface TraceLine {
  /** Virtual time in milliseconds since 1970. */
  readonly at: number;
  /** The process that did it; `world` for what comes from outside. */
  readonly process: string;
  readonly step: string;
  readonly fate: string;
}

/** A trace for a person to read: time since the first line, process, step, fate. */
export function describeTrace(trace: readonly TraceLine[]): string {
  const start = trace[0]?.at ?? 0;
  const width = Math.max(0, ...trace.map(({ process }) => process.length));
  const stepWidth = Math.min(60, Math.max(0, ...trace.map(({ step }) => step.length)));
  return trace
    .map(({ at, process, step, fate }) => `${clock(at - start)}  ${process.padEnd(width)}  ${step.padEnd(stepWidth)}  ${fate}`.trimEnd())
    .join("\n");
}

/** Days, hours, minutes and seconds, of which days and hours are left out while they are none. */
function clock(milliseconds: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const seconds = milliseconds / 1000;
  const days = Math.floor(seconds / 86_400);
  const fraction = String(Math.floor(milliseconds) % 1000).padStart(3, "0");
  return `${days > 0 ? `${days}d ` : ""}${two((seconds / 3600) % 24)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.${fraction}`;
}
