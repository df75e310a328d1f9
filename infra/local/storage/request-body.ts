import { invalid } from "./storage-fault.ts";

const TEXT_BYTES_MAX = 1024 * 1024;

/** Reads a small body, such as an object resource. Throws a 400 if it is longer than 1 MiB. */
export async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > TEXT_BYTES_MAX) throw invalid("The request body is too long.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
