import type { BucketMetadata } from "./bucket-folder.ts";
import type { ObjectMetadata } from "./object-metadata.ts";

/** Returns an object as the JSON API shows it. `origin` is the base of its links, `http://host:port`. */
export function objectResource(object: ObjectMetadata, origin: string): Record<string, unknown> {
  const { bucket, name, generation, metageneration, size, timeCreated, ...rest } = object;
  const path = `b/${bucket}/o/${encodeURIComponent(name)}`;
  return {
    kind: "storage#object",
    id: `${bucket}/${name}/${generation}`,
    selfLink: `${origin}/storage/v1/${path}`,
    mediaLink: `${origin}/download/storage/v1/${path}?generation=${generation}&alt=media`,
    name,
    bucket,
    generation: String(generation),
    metageneration: String(metageneration),
    storageClass: "STANDARD",
    size: String(size),
    etag: etagOf(object),
    timeCreated,
    timeStorageClassUpdated: timeCreated,
    timeFinalized: timeCreated,
    ...rest,
  };
}

export function bucketResource(name: string, { timeCreated }: BucketMetadata, origin: string): Record<string, unknown> {
  return {
    kind: "storage#bucket",
    id: name,
    selfLink: `${origin}/storage/v1/b/${name}`,
    name,
    metageneration: "1",
    location: "EUROPE-NORTH1",
    locationType: "region",
    storageClass: "STANDARD",
    etag: etagOf({ generation: 0, metageneration: 1 }),
    timeCreated,
    updated: timeCreated,
    iamConfiguration: { uniformBucketLevelAccess: { enabled: true }, publicAccessPrevention: "enforced" },
  };
}

/** Returns Google's ETag: generation and metageneration as a protocol buffer message, in base64. */
export function etagOf({ generation, metageneration }: { generation: number; metageneration: number }): string {
  const fields = generation === 0 ? [] : [0x08, ...varint(generation)];
  return Buffer.from([...fields, 0x10, ...varint(metageneration)]).toString("base64");
}

/** Returns the ETag of an object's content. The XML API's is the MD5 in hexadecimal, or `-` and the JSON API's ETag if there is no MD5. */
export function mediaEtag(object: ObjectMetadata, api: "json" | "xml"): string {
  if (api === "json") return etagOf(object);
  return object.md5Hash === undefined ? `"-${etagOf(object)}"` : `"${Buffer.from(object.md5Hash, "base64").toString("hex")}"`;
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}
