import type { IncomingMessage } from "node:http";
import { readMultipart } from "./multipart.ts";
import type { ExpectedHashes, ObjectDraft } from "./object-draft.ts";
import { type InsertInput, parseInsert } from "./object-input.ts";
import type { ObjectMetadata } from "./object-metadata.ts";
import type { ObjectStore } from "./object-store.ts";
import type { Preconditions } from "./preconditions.ts";
import { readText } from "./request-body.ts";
import { invalid, notImplemented, StorageFault } from "./storage-fault.ts";
import { UploadSession } from "./upload-session.ts";

export interface Upload {
  readonly bucket: string;
  readonly query: URLSearchParams;
  readonly conditions: Preconditions;
  /** Whether it may replace an object. */
  readonly replaces: boolean;
}

/** Handles an upload in one request, `uploadType` `media` or `multipart`. Throws 400, 404 (bucket) and 412. */
export async function insertObject(store: ObjectStore, upload: Upload, request: IncomingMessage): Promise<ObjectMetadata> {
  refuseUnsupported(upload.query, request);
  const contentType = request.headers["content-type"];
  const isMultipart = upload.query.get("uploadType") === "multipart";
  const parts = isMultipart ? await readMultipart(contentType ?? "", request) : { metadata: "", contentType, content: bodyOf(request) };
  const input = parseInsert(parts.metadata);
  const draft = await createDraft(store, upload, input, parts.contentType);
  await draft.receiveWhole(parts.content);
  return draft.commit({ ...input.expected, ...hashHeaders(request) });
}

/** Starts a resumable upload from its resource and `X-Upload-…` headers. Throws 400, 404 (bucket) and 412. */
export async function startSession(store: ObjectStore, upload: Upload, request: IncomingMessage, now: number): Promise<UploadSession> {
  refuseUnsupported(upload.query, request);
  const input = parseInsert(await readText(request));
  const length = request.headers["x-upload-content-length"];
  if (length !== undefined && !/^\d{1,15}$/.test(String(length))) throw invalid("Invalid X-Upload-Content-Length.");
  const contentType = request.headers["x-upload-content-type"];
  const draft = await createDraft(store, upload, input, contentType === undefined ? undefined : String(contentType));
  return new UploadSession(draft, input.expected, length === undefined ? undefined : Number(length), now);
}

/** Returns the body of a request. It stays open after a failed write, so that the error can still be sent. */
export function bodyOf(request: IncomingMessage): AsyncIterable<Buffer> {
  return request.iterator({ destroyOnReturn: false });
}

/** Returns the hashes that a request's headers declare for its content. */
export function hashHeaders({ headers }: IncomingMessage): ExpectedHashes {
  const text = String(headers["x-goog-hash"] ?? "");
  const crc32c = /(?:^|[,\s])crc32c=([\w+/=]+)/.exec(text)?.[1];
  const md5Hash = /(?:^|[,\s])md5=([\w+/=]+)/.exec(text)?.[1] ?? headers["content-md5"]?.toString();
  return { ...(crc32c === undefined ? {} : { crc32c }), ...(md5Hash === undefined ? {} : { md5Hash }) };
}

function createDraft(store: ObjectStore, upload: Upload, input: InsertInput, contentType: string | undefined): Promise<ObjectDraft> {
  const name = upload.query.get("name") ?? input.name;
  if (name === undefined) throw new StorageFault("required", "Required parameter: name");
  const contentEncoding = upload.query.get("contentEncoding");
  return store.create(upload.bucket, name, {
    contentType: contentType ?? "application/octet-stream",
    ...(contentEncoding === null ? {} : { contentEncoding }),
    ...input.settings,
    preconditions: upload.conditions,
    replaces: upload.replaces,
  });
}

function refuseUnsupported(query: URLSearchParams, { headers }: IncomingMessage): void {
  if (query.has("predefinedAcl")) throw invalid("Cannot insert legacy ACL for an object when uniform bucket-level access is enabled.");
  if (query.has("kmsKeyName") || headers["x-goog-encryption-algorithm"] !== undefined) throw notImplemented("Encryption with own keys");
}
