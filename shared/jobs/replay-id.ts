import { createHash } from "node:crypto";

/**
 * Returns the id under which an operator replays a failed job. It is always the same, so repeated replays run the job once. It is a version
 * 8 UUID, made of a hash of the failed job's id. Source: RFC 9562, section 5.8.
 */
export function replayId(jobId: string): string {
  const hex = createHash("sha256").update(`replay of ${jobId}`).digest("hex");
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, variant + hex.slice(17, 20), hex.slice(20, 32)].join("-");
}
