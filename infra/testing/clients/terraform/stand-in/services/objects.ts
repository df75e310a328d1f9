import { type Fields, parseFields } from "../json.ts";
import { notFound } from "../refusal.ts";
import { digest, MADE, type Store } from "../store.ts";

/** An object that is sent to Cloud Storage: what is said of it, and its content. */
interface Upload {
  readonly said: Fields;
  readonly content: Buffer;
}

/** Reads a body of two parts (https://cloud.google.com/storage/docs/uploading-objects#uploading-an-object). */
export function parseUpload(body: Buffer, contentType: string): Upload {
  const [, boundary] = /boundary=([^;]+)/.exec(contentType) ?? [];
  if (boundary === undefined) return { said: {}, content: body };
  const [, said = "", content = ""] = body.toString("latin1").split(`--${boundary}`);
  const [, type] = /content-type: *([^\r]+)/i.exec(content) ?? [];
  return {
    said: { contentType: type, ...parseFields(Buffer.from(partBody(said), "latin1").toString()) },
    content: Buffer.from(partBody(content), "latin1"),
  };
}

function partBody(part: string): string {
  return part.slice(part.indexOf("\r\n\r\n") + 4).replace(/\r\n$/, "");
}

/** Answers Cloud Storage's objects. */
export function objects(store: Store, path: string, query: URLSearchParams, upload: Upload | undefined): Fields {
  const [, bucket = "", given] = /^b\/([^/]+)\/o(?:\/(.+))?$/.exec(path) ?? [];
  if (!store.resources.has(`storage.googleapis.com/b/${bucket}`)) throw notFound(`The bucket ${bucket} does not exist`);
  const name = given ?? String(upload?.said.name ?? query.get("name"));
  const place = `storage.googleapis.com/b/${bucket}/o/${name}`;
  const old = store.resources.get(place);
  if (!upload) {
    if (!old) throw notFound(`No such object: ${bucket}/${name}`);
    return old;
  }
  const object = {
    ...upload.said,
    name,
    bucket,
    id: `${bucket}/${name}/1`,
    selfLink: `https://www.googleapis.com/storage/v1/b/${bucket}/o/${encodeURIComponent(name)}`,
    mediaLink: `https://storage.googleapis.com/download/storage/v1/b/${bucket}/o/${encodeURIComponent(name)}?alt=media`,
    generation: "1",
    metageneration: "1",
    storageClass: "STANDARD",
    size: String(upload.content.length),
    md5Hash: digest(upload.content, "base64"),
    crc32c: "AAAAAA==",
    timeCreated: MADE,
    updated: MADE,
  };
  store.resources.set(place, object);
  return object;
}
