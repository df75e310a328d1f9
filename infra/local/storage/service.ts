import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { copyObject } from "./copy.ts";
import { sendMedia } from "./media.ts";
import type { ListOptions } from "./object-index.ts";
import { parsePatch } from "./object-input.ts";
import type { ObjectMetadata } from "./object-metadata.ts";
import type { ObjectStore } from "./object-store.ts";
import type { ObjectAddress, Operation } from "./operation.ts";
import { differs, matches } from "./preconditions.ts";
import { readText } from "./request-body.ts";
import { headerConditions, queryConditions } from "./request-conditions.ts";
import { queryNumber } from "./request-target.ts";
import { bucketResource, etagOf, objectResource } from "./resources.ts";
import { conditionNotMet, invalid, notImplemented, objectNotFound, StorageFault } from "./storage-fault.ts";
import { bodyOf, hashHeaders, insertObject, startSession } from "./upload.ts";
import type { UploadSessions } from "./upload-sessions.ts";
import { xmlList, xmlListOptions } from "./xml-list.ts";
import { XML_TYPE } from "./xml-text.ts";

/** One request and its context. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly store: ObjectStore;
  readonly sessions: UploadSessions;
  readonly query: URLSearchParams;
  /** Whether the caller may replace an object by an upload. */
  readonly replaces: boolean;
  /** The base of links in responses, `http://host:port`. */
  readonly origin: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** `includeFoldersAsPrefixes`, which gcloud sends, has no effect without folder resources. */
const LIST_PARAMETERS_REFUSED = ["filter", "matchGlob", "softDeleted"];

/** Performs an authorised operation and sends the response. Throws the `StorageFault`s of the functions that it calls. */
export async function serveOperation(exchange: Exchange, operation: Operation): Promise<void> {
  const { request, response, store, query, origin } = exchange;
  switch (operation.kind) {
    case "listBuckets":
      return sendJson(response, { kind: "storage#buckets", items: store.bucketNames().map((name) => bucketOf(exchange, name)) });
    case "getBucket":
      return sendJson(response, bucketOf(exchange, operation.bucket));
    case "listObjects":
      return operation.api === "xml" ? sendXmlList(exchange, operation.bucket) : sendList(exchange, operation.bucket);
    case "getMetadata":
      return sendMetadata(exchange, operation);
    case "getMedia": {
      const isXml = operation.api === "xml";
      const conditions = isXml ? headerConditions(request.headers) : queryConditions(query);
      const headers = isXml ? replacedHeaders(query) : {};
      return sendMedia(store, { ...operation, generation: queryNumber(query, "generation"), conditions, headers }, request, response);
    }
    case "insert":
      return insert(exchange, operation.bucket);
    case "continueUpload":
      return continueUpload(exchange, operation.uploadId);
    case "patch": {
      const patch = parsePatch(await readText(request));
      return sendObject(exchange, await store.update(operation.bucket, operation.name, patch, queryConditions(query)));
    }
    case "delete":
      checkGeneration(exchange, operation);
      await store.delete(operation.bucket, operation.name, queryConditions(query));
      response.writeHead(204).end();
      return;
    case "copy": {
      const object = await copyObject(store, operation.from, operation.to, query, await readText(request));
      const size = String(object.size);
      const done = { kind: "storage#rewriteResponse", totalBytesRewritten: size, objectSize: size, done: true };
      return sendJson(
        response,
        operation.isRewrite ? { ...done, resource: objectResource(object, origin) } : objectResource(object, origin),
      );
    }
    case "unsupported":
      throw notImplemented(operation.what);
  }
}

/** Returns the headers that a request of the XML API asks for in place of the object's own. */
function replacedHeaders(query: URLSearchParams): OutgoingHttpHeaders {
  const [type, disposition] = [query.get("response-content-type"), query.get("response-content-disposition")];
  return { ...(type === null ? {} : { "Content-Type": type }), ...(disposition === null ? {} : { "Content-Disposition": disposition }) };
}

function sendList({ store, query, response, origin }: Exchange, bucket: string): void {
  // Go's client names every parameter, those that it does not use too.
  for (const name of LIST_PARAMETERS_REFUSED)
    if (!["", "false"].includes((query.get(name) ?? "").toLowerCase())) throw notImplemented(`The parameter ${name} of a list`);
  const maxResults = queryNumber(query, "maxResults");
  if (maxResults === 0) throw invalid("Invalid value for maxResults: 0");
  const includeTrailingDelimiter = query.get("includeTrailingDelimiter")?.toLowerCase() === "true";
  const options: ListOptions = {
    includeTrailingDelimiter,
    ...parameter("prefix", query),
    ...parameter("delimiter", query),
    ...parameter("startOffset", query),
    ...parameter("endOffset", query),
    ...parameter("pageToken", query),
    ...(maxResults === undefined ? {} : { maxResults }),
  };
  const { items, prefixes, nextPageToken } = store.list(bucket, options);
  sendJson(response, {
    kind: "storage#objects",
    ...(nextPageToken === undefined ? {} : { nextPageToken }),
    ...(prefixes.length === 0 ? {} : { prefixes }),
    ...(items.length === 0 ? {} : { items: items.map((object) => objectResource(object, origin)) }),
  });
}

function sendXmlList({ store, query, response }: Exchange, bucket: string): void {
  const body = Buffer.from(xmlList(bucket, query, store.list(bucket, xmlListOptions(query))));
  response.writeHead(200, { "Cache-Control": "private, max-age=0", "Content-Type": XML_TYPE, "Content-Length": body.length }).end(body);
}

/** Returns a list parameter. An empty parameter counts as absent. */
function parameter(name: "prefix" | "delimiter" | "startOffset" | "endOffset" | "pageToken", query: URLSearchParams): ListOptions {
  const value = query.get(name);
  return value === null || value === "" ? {} : { [name]: value };
}

function sendMetadata(exchange: Exchange, { bucket, name }: ObjectAddress): void {
  checkGeneration(exchange, { bucket, name });
  const { metadata } = exchange.store.read(bucket, name);
  const conditions = queryConditions(exchange.query);
  if (!matches(metadata, conditions)) throw conditionNotMet();
  if (differs(metadata, conditions)) sendObject(exchange, metadata);
  else exchange.response.writeHead(304, { ETag: etagOf(metadata) }).end();
}

/** Throws a 404 if another generation is requested: only the live one exists. */
function checkGeneration({ store, query }: Exchange, { bucket, name }: ObjectAddress): void {
  const generation = queryNumber(query, "generation");
  const { metadata } = store.read(bucket, name);
  if (generation !== undefined && generation !== metadata.generation) throw objectNotFound(bucket, `${name}#${generation}`);
}

async function insert(exchange: Exchange, bucket: string): Promise<void> {
  const { request, response, store, sessions, query, replaces, origin, now } = exchange;
  const upload = { bucket, query, replaces, conditions: queryConditions(query) };
  const uploadType = query.get("uploadType");
  if (uploadType === "media" || uploadType === "multipart") return sendObject(exchange, await insertObject(store, upload, request));
  if (uploadType !== "resumable") throw invalid(`Invalid uploadType: ${JSON.stringify(uploadType)}`);
  const id = await sessions.add(await startSession(store, upload, request, now));
  const location = `${origin}/upload/storage/v1/b/${bucket}/o?uploadType=resumable&upload_id=${id}`;
  response.writeHead(200, { Location: location, "X-GUploader-UploadID": id, "Content-Length": 0 }).end();
}

async function continueUpload(exchange: Exchange, id: string): Promise<void> {
  const { request, response, sessions } = exchange;
  if (request.method === "DELETE") {
    await sessions.remove(id);
    throw new StorageFault("uploadCancelled", "Client Closed Request");
  }
  if (request.method !== "PUT") throw notImplemented(`${request.method} of an upload session`);
  const progress = await sessions.get(id).take(request.headers["content-range"], bodyOf(request), hashHeaders(request));
  if ("object" in progress) return sendObject(exchange, progress.object);
  const range = progress.receivedBytes === 0 ? {} : { Range: `bytes=0-${progress.receivedBytes - 1}` };
  response.writeHead(308, "Resume Incomplete", { ...range, "X-GUploader-UploadID": id, "Content-Length": 0 }).end();
}

function bucketOf({ store, origin }: Exchange, name: string): Record<string, unknown> {
  return bucketResource(name, store.bucketMetadata(name), origin);
}

function sendObject({ response, origin }: Exchange, object: ObjectMetadata): void {
  response.setHeader("ETag", etagOf(object));
  sendJson(response, objectResource(object, origin));
}

function sendJson(response: ServerResponse, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  const headers = { "Cache-Control": "no-cache, no-store, max-age=0, must-revalidate", "Content-Length": body.length };
  response.writeHead(200, { ...headers, "Content-Type": "application/json; charset=UTF-8" }).end(body);
}
