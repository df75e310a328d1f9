import { open } from "node:fs/promises";
import * as v from "valibot";
import { functionsLog, type Target } from "./target.ts";

/** A line of the worker that measures maps: each of its measurements ends with one, whatever its outcome. */
const Line = v.object({ function: v.literal("realtime-measure"), mapId: v.string(), version: v.number() });

/** Returns whether the measurement of a version of a map has ended. */
export type IsMeasured = (mapId: string, version: number) => Promise<boolean>;

/** Follows the functions' log, of which each call reads only what is new. */
export function followMeasurements(target: Target): IsMeasured {
  const ended = new Set<string>();
  let offset = 0;
  const read = async (): Promise<void> => {
    const log = await open(functionsLog(target), "r");
    try {
      const { size } = await log.stat();
      const { buffer } = await log.read(Buffer.alloc(size - offset), 0, size - offset, offset);
      // The last line may not be whole yet.
      const whole = buffer.subarray(0, buffer.lastIndexOf("\n") + 1);
      offset += whole.length;
      for (const text of whole.toString("utf8").split("\n")) {
        const line = text.includes("realtime-measure") ? v.safeParse(Line, parsed(text)) : undefined;
        if (line?.success) ended.add(`${line.output.mapId} ${line.output.version}`);
      }
    } finally {
      await log.close();
    }
  };
  return async (mapId, version) => {
    const name = `${mapId} ${version}`;
    if (!ended.has(name)) await read();
    return ended.has(name);
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
