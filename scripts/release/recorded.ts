import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

/** Returns where a text of the last release is kept, compressed. */
export function releasedFile(name: string): URL {
  return new URL(`../../infra/released/${name}.br`, import.meta.url);
}

/** The folder of documents that releases wrote. They outlive the next release, so those of former versions stay. */
export const DOCUMENTS = new URL("../../infra/released/documents/", import.meta.url);

/** Returns where the documents of a version are kept. */
export function documentsFile(version: string): URL {
  return new URL(`${version}.json`, DOCUMENTS);
}

/** Compresses a text for `infra/released`. The same text gives the same bytes. */
export function compressed(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  return brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}

export function decompressed(bytes: Uint8Array): string {
  return brotliDecompressSync(bytes).toString("utf8");
}
