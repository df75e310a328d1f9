import { decodeSegment, parseTarget, type RequestTarget } from "./request-target.ts";
import { StorageFault } from "./storage-fault.ts";

/** The operation of a request. `name` and `bucket` are decoded; the same strings are authorised and looked up. */
export type Operation =
  | { readonly kind: "listBuckets" }
  | { readonly kind: "getBucket"; readonly bucket: string }
  | { readonly kind: "listObjects"; readonly bucket: string; readonly api: "json" | "xml" }
  | { readonly kind: "getMetadata"; readonly bucket: string; readonly name: string }
  | { readonly kind: "getMedia"; readonly bucket: string; readonly name: string; readonly api: "json" | "xml" }
  | { readonly kind: "insert"; readonly bucket: string }
  | { readonly kind: "continueUpload"; readonly uploadId: string }
  | { readonly kind: "patch"; readonly bucket: string; readonly name: string }
  | { readonly kind: "delete"; readonly bucket: string; readonly name: string }
  | { readonly kind: "copy"; readonly isRewrite: boolean; readonly from: ObjectAddress; readonly to: ObjectAddress }
  | { readonly kind: "unsupported"; readonly what: string };

export interface ObjectAddress {
  readonly bucket: string;
  readonly name: string;
}

export interface StorageRequest {
  readonly operation: Operation;
  readonly query: URLSearchParams;
}

/** Whether a path belongs to the XML API: every path that is not `/b/…` with its known prefixes. */
export function isXmlPath(target: string): boolean {
  return !/^\/((download|upload)\/)?(storage\/v1\/)?b(\/|\?|$)/.test(target);
}

/** Parses the operation from method and target. HEAD is treated as GET. Throws a 400 for a malformed and a 404 for an unknown path. */
export function parseRequest(requestMethod: string, target: string): StorageRequest {
  const method = requestMethod === "HEAD" ? "GET" : requestMethod;
  const { segments, query } = parseTarget(target);
  const operation = isXmlPath(target) ? xmlOperation(method, segments) : jsonOperation(method, { segments, query });
  if (!operation) throw new StorageFault("pathNotFound", "Not Found");
  return { operation, query };
}

function xmlOperation(method: string, [bucket = "", ...rest]: readonly string[]): Operation | undefined {
  if (bucket === "") return undefined;
  const name = decodeSegment(rest.join("/"));
  if (name === "" && method === "GET") return { kind: "listObjects", bucket: decodeSegment(bucket), api: "xml" };
  if (method !== "GET") return { kind: "unsupported", what: `${method} in the XML API` };
  return { kind: "getMedia", bucket: decodeSegment(bucket), name, api: "xml" };
}

function jsonOperation(method: string, { segments, query }: RequestTarget): Operation | undefined {
  const service = ["download", "upload"].find((name) => name === segments[0]);
  const [, bucketPart, collection, objectPart, ...rest] = segments.slice(segments.indexOf("b"));
  if (bucketPart === undefined) return service ? undefined : bucketsOperation(method);
  const bucket = decodeSegment(bucketPart);
  if (collection === undefined) return service ? undefined : bucketOperation(method, bucket);
  if (bucket !== "" && !service && BUCKET_COLLECTIONS.includes(collection))
    return { kind: "unsupported", what: `${collection} of a bucket` };
  if (bucket === "" || collection !== "o") return undefined;
  if (objectPart === undefined)
    return service === "upload" ? uploadOperation(method, bucket, query) : collectionOperation(method, bucket, service);
  const name = decodeSegment(objectPart);
  if (name === "" || service === "upload") return undefined;
  const isMedia = service === "download" || query.get("alt") === "media";
  if (rest.length === 0 && method === "GET" && isMedia) return { kind: "getMedia", bucket, name, api: "json" };
  return service ? undefined : objectOperation(method, { bucket, name }, rest);
}

/** What else the JSON API has below a bucket. */
const BUCKET_COLLECTIONS = ["acl", "defaultObjectAcl", "folders", "iam", "lockRetentionPolicy", "managedFolders", "notificationConfigs"];

function bucketsOperation(method: string): Operation | undefined {
  if (method === "GET") return { kind: "listBuckets" };
  return method === "POST" ? { kind: "unsupported", what: "Creating a bucket" } : undefined;
}

function bucketOperation(method: string, bucket: string): Operation {
  return method === "GET" ? { kind: "getBucket", bucket } : { kind: "unsupported", what: `${method} of a bucket` };
}

function collectionOperation(method: string, bucket: string, service: string | undefined): Operation | undefined {
  return method === "GET" && !service ? { kind: "listObjects", bucket, api: "json" } : undefined;
}

function uploadOperation(method: string, bucket: string, query: URLSearchParams): Operation | undefined {
  const uploadId = query.get("upload_id");
  if (uploadId !== null) return { kind: "continueUpload", uploadId };
  return method === "POST" ? { kind: "insert", bucket } : undefined;
}

function objectOperation(method: string, address: ObjectAddress, rest: readonly string[]): Operation | undefined {
  if (rest.length > 0) return copyOperation(method, address, rest);
  if (method === "GET") return { kind: "getMetadata", ...address };
  if (method === "PATCH") return { kind: "patch", ...address };
  if (method === "DELETE") return { kind: "delete", ...address };
  return { kind: "unsupported", what: `${method} of an object` };
}

const VERBS = ["acl", "compose", "copyTo", "moveTo", "restore", "rewriteTo"];

function copyOperation(method: string, from: ObjectAddress, rest: readonly string[]): Operation | undefined {
  const [verb = "", b, bucket = "", o, name = "", ...more] = rest;
  if (!VERBS.includes(verb)) return undefined;
  const isCopy = (verb === "rewriteTo" || verb === "copyTo") && b === "b" && o === "o" && more.length === 0;
  if (method !== "POST" || !isCopy) return { kind: "unsupported", what: `${verb} of an object` };
  return { kind: "copy", isRewrite: verb === "rewriteTo", from, to: { bucket: decodeSegment(bucket), name: decodeSegment(name) } };
}
