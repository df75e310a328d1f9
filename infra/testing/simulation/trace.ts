/** One event in a world. */
export interface TraceLine {
  /** Virtual time in milliseconds since 1970. */
  readonly at: number;
  /** The process of the event; `world` for events from outside. */
  readonly process: string;
  readonly step: string;
  readonly fate: string;
}

/** Formats a trace for people: time since the first line, process, step, fate. */
export function describeTrace(trace: readonly TraceLine[]): string {
  const start = trace[0]?.at ?? 0;
  const width = Math.max(0, ...trace.map(({ process }) => process.length));
  const stepWidth = Math.min(60, Math.max(0, ...trace.map(({ step }) => step.length)));
  return trace
    .map(({ at, process, step, fate }) => `${clock(at - start)}  ${process.padEnd(width)}  ${step.padEnd(stepWidth)}  ${fate}`.trimEnd())
    .join("\n");
}

/** Formats a duration as hours, minutes and seconds, with days if there are any. */
function clock(milliseconds: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const seconds = milliseconds / 1000;
  const days = Math.floor(seconds / 86_400);
  const fraction = String(Math.floor(milliseconds) % 1000).padStart(3, "0");
  return `${days > 0 ? `${days}d ` : ""}${two((seconds / 3600) % 24)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.${fraction}`;
}
