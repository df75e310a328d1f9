import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { BigQueryError } from "../model.ts";

/** The largest JSON body that BigQuery accepts. */
const BODY_BYTES_MAX = 10 * 1024 * 1024;

const gunzipped = promisify(gunzip);

/** Reads a body of JSON, also a compressed one: Google's client for Java compresses all of them. Undefined without a body. */
export async function readJson(message: IncomingMessage): Promise<unknown> {
  const received = await readBytes(message);
  const isCompressed = received.length > 0 && message.headers["content-encoding"] === "gzip";
  const bytes = isCompressed ? await uncompressed(received) : received;
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new BigQueryError("parseError", "Invalid JSON payload received. Parse Error");
  }
}

async function readBytes(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function uncompressed(bytes: Buffer): Promise<Buffer> {
  try {
    return await gunzipped(bytes, { maxOutputLength: BODY_BYTES_MAX });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge();
    throw new BigQueryError("parseError", "Invalid gzip payload received.");
  }
}

function tooLarge(): BigQueryError {
  return new BigQueryError("uploadTooLarge", `Request payload size exceeds the limit: ${BODY_BYTES_MAX} bytes.`);
}
