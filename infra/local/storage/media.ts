import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { parseByteRange } from "./byte-range.ts";
import type { ObjectMetadata } from "./object-metadata.ts";
import type { ObjectStore } from "./object-store.ts";
import { openContent } from "./open-content.ts";
import { differs, matches, type Preconditions } from "./preconditions.ts";
import { mediaEtag } from "./resources.ts";
import { conditionNotMet } from "./storage-fault.ts";

const READ_BYTES = 512 * 1024;

export interface MediaRequest {
  readonly bucket: string;
  readonly name: string;
  readonly api: "json" | "xml";
  /** If set, only this generation is served. */
  readonly generation: number | undefined;
  readonly conditions: Preconditions;
  /** Headers that replace those of the object. */
  readonly headers?: OutgoingHttpHeaders;
}

/**
 * Sends an object's content: whole, one range, or headers only for HEAD. Content stored with `Content-Encoding: gzip` is decompressed for
 * clients that do not accept gzip, as Cloud Storage does. Throws 404, 412, 416.
 */
export async function sendMedia(
  store: ObjectStore,
  media: MediaRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { file, metadata } = await openContent(store, media.bucket, media.name, media.generation);
  try {
    if (!matches(metadata, media.conditions) || !etagMatches(request.headers["if-match"], metadata, media.api)) throw conditionNotMet();
    const headers = { ...mediaHeaders(metadata, media.api), ...media.headers };
    if (!differs(metadata, media.conditions) || isKnown(request.headers["if-none-match"], metadata, media.api)) {
      response.writeHead(304, { ETag: headers.ETag }).end();
      return;
    }
    const isUnpacked = metadata.contentEncoding === "gzip" && !/\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
    const range = isUnpacked ? undefined : parseByteRange(request.headers.range, metadata.size);
    const { start, end } = range ?? { start: 0, end: metadata.size - 1 };
    if (isUnpacked) {
      const { "Content-Encoding": _, ...unpacked } = headers;
      response.writeHead(200, { ...unpacked, Warning: "214 UploadServer gunzipped" });
    } else {
      const contentRange = range ? { "Content-Range": `bytes ${start}-${end}/${metadata.size}` } : {};
      response.writeHead(range ? 206 : 200, { ...headers, ...contentRange, "Content-Length": end - start + 1 });
    }
    if (request.method === "HEAD" || end < start) {
      response.end();
      return;
    }
    const content = file.createReadStream({ start, end, highWaterMark: READ_BYTES });
    await (isUnpacked ? pipeline(content, createGunzip(), response) : pipeline(content, response));
  } finally {
    await file.close();
  }
}

function mediaHeaders(object: ObjectMetadata, api: "json" | "xml"): OutgoingHttpHeaders {
  const hashes = [`crc32c=${object.crc32c}`, ...(object.md5Hash === undefined ? [] : [`md5=${object.md5Hash}`])];
  const headers: OutgoingHttpHeaders = {
    "Content-Type": object.contentType,
    "Cache-Control": object.cacheControl ?? (api === "xml" ? "private, max-age=0" : "no-cache, no-store, max-age=0, must-revalidate"),
    "Last-Modified": new Date(object.updated).toUTCString(),
    "Accept-Ranges": "bytes",
    ETag: mediaEtag(object, api),
    "X-Goog-Generation": object.generation,
    "X-Goog-Metageneration": object.metageneration,
    "X-Goog-Hash": api === "xml" ? hashes : hashes.join(","),
    "X-Goog-Storage-Class": "STANDARD",
    "X-Goog-Stored-Content-Encoding": object.contentEncoding ?? "identity",
    "X-Goog-Stored-Content-Length": object.size,
  };
  if (object.contentEncoding !== undefined) headers["Content-Encoding"] = object.contentEncoding;
  if (object.contentLanguage !== undefined) headers["Content-Language"] = object.contentLanguage;
  const disposition = object.contentDisposition ?? (api === "json" ? "attachment" : undefined);
  if (disposition !== undefined) headers["Content-Disposition"] = disposition;
  for (const [key, value] of Object.entries(object.metadata ?? {})) headers[`X-Goog-Meta-${key}`] = value;
  return headers;
}

function etagMatches(header: string | undefined, object: ObjectMetadata, api: "json" | "xml"): boolean {
  return header === undefined || isKnown(header, object, api);
}

/** Whether a list of ETags contains the object's. */
function isKnown(header: string | undefined, object: ObjectMetadata, api: "json" | "xml"): boolean {
  const etags = (header ?? "").split(",").map((etag) => etag.trim());
  return etags.includes("*") || etags.includes(mediaEtag(object, api));
}
