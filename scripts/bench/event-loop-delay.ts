import { appendFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

/**
 * Loaded into a process with `--import`: appends a line to the file EVENT_LOOP_FILE each second, with how late its event loop was, in
 * milliseconds. The timer's own millisecond is not counted.
 */
const file = process.env.EVENT_LOOP_FILE;
if (file !== undefined) {
  const RESOLUTION_MS = 1;
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  delay.enable();
  setInterval(() => {
    const line = { at: Date.now(), p50_ms: late(delay.percentile(50)), p99_ms: late(delay.percentile(99)), max_ms: late(delay.max) };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
    delay.reset();
  }, 1000).unref();
}
