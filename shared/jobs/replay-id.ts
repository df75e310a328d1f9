import { createHash } from "node:crypto";

/**
 * The id of the job as which an operator runs a failed one again: always the same, so that it is run once however often that is asked for. A
 * UUID of version 8, made of a hash of the failed job's id. Source: RFC 9562, section 5.8.
 */
export function replayId(jobId: string): string {
  const hex = createHash("sha256").update(`replay of ${jobId}`).digest("hex");
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, variant + hex.slice(17, 20), hex.slice(20, 32)].join("-");
}
