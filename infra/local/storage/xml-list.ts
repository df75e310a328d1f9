import { LIST_RESULTS_MAX, type ListOptions, type ObjectList } from "./object-index.ts";
import type { ObjectMetadata } from "./object-metadata.ts";
import { decodePageToken, encodePageToken } from "./page-token.ts";
import { queryNumber } from "./request-target.ts";
import { mediaEtag } from "./resources.ts";
import { invalid, notImplemented } from "./storage-fault.ts";
import { escapeXml } from "./xml-text.ts";

/** The parameters of a list of the XML API. Others ask for something else than its objects (`acl`, `uploads`), or for them in another form. */
const PARAMETERS: ReadonlySet<string> = new Set([
  ...["list-type", "prefix", "delimiter", "max-keys", "fetch-owner"],
  ...["continuation-token", "start-after", "marker"],
]);

/** Returns what a list of the XML API asks for, of its first version (`marker`) and its second (`list-type=2`). Throws a 400. */
export function xmlListOptions(query: URLSearchParams): ListOptions {
  const other = [...query.keys()].find((name) => !PARAMETERS.has(name) && !/^x-goog-/i.test(name));
  if (other !== undefined) throw notImplemented(`The parameter ${other} of a bucket in the XML API`);
  if (!["1", "2", null].includes(query.get("list-type"))) throw invalid("Invalid value for list-type");
  const maxResults = queryNumber(query, "max-keys");
  if (maxResults === 0) throw invalid("Invalid value for max-keys: 0");
  const [prefix, delimiter, pageToken] = [query.get("prefix"), query.get("delimiter"), pageStart(query)];
  return {
    ...(prefix === null ? {} : { prefix }),
    ...(delimiter === null ? {} : { delimiter }),
    ...(maxResults === undefined ? {} : { maxResults }),
    ...(pageToken === undefined ? {} : { pageToken }),
  };
}

/** Returns the page token of where a list begins, undefined at its first object. */
function pageStart(query: URLSearchParams): string | undefined {
  const token = isSecond(query) ? query.get("continuation-token") : null;
  if (token !== null) return token;
  const entry = query.get(isSecond(query) ? "start-after" : "marker") ?? "";
  const delimiter = query.get("delimiter") ?? "";
  return entry === "" ? undefined : encodePageToken({ entry, isPrefix: delimiter !== "" && entry.endsWith(delimiter) });
}

/** Returns a list of objects as the XML API shows it: https://cloud.google.com/storage/docs/xml-api/get-bucket-list */
export function xmlList(bucket: string, query: URLSearchParams, { items, prefixes, nextPageToken }: ObjectList): string {
  const delimiter = query.get("delimiter") ?? "";
  const elements = [
    element("Name", bucket),
    element("Prefix", query.get("prefix") ?? ""),
    ...(delimiter === "" ? [] : [element("Delimiter", delimiter)]),
    element("MaxKeys", String(Math.min(queryNumber(query, "max-keys") ?? LIST_RESULTS_MAX, LIST_RESULTS_MAX))),
    ...pageElements(query, items.length + prefixes.length, nextPageToken),
    element("IsTruncated", String(nextPageToken !== undefined)),
    ...items.map(contents),
    ...prefixes.map((prefix) => `<CommonPrefixes>${element("Prefix", prefix)}</CommonPrefixes>`),
  ];
  return `<?xml version='1.0' encoding='UTF-8'?><ListBucketResult xmlns='http://doc.s3.amazonaws.com/2006-03-01'>${elements.join("")}</ListBucketResult>`;
}

/** Returns where a page begins, and where the next one does. */
function pageElements(query: URLSearchParams, count: number, nextPageToken: string | undefined): string[] {
  if (!isSecond(query)) {
    const next = nextPageToken === undefined ? [] : [element("NextMarker", decodePageToken(nextPageToken).entry)];
    return [element("Marker", query.get("marker") ?? ""), ...next];
  }
  const given = [
    ["StartAfter", query.get("start-after")],
    ["ContinuationToken", query.get("continuation-token")],
    ["NextContinuationToken", nextPageToken ?? null],
  ] as const;
  return [element("KeyCount", String(count)), ...given.flatMap(([name, value]) => (value === null ? [] : [element(name, value)]))];
}

function contents(object: ObjectMetadata): string {
  const elements = [
    element("Key", object.name),
    element("Generation", String(object.generation)),
    element("MetaGeneration", String(object.metageneration)),
    element("LastModified", object.updated),
    element("ETag", mediaEtag(object, "xml")),
    element("Size", String(object.size)),
    element("StorageClass", "STANDARD"),
  ];
  return `<Contents>${elements.join("")}</Contents>`;
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

function isSecond(query: URLSearchParams): boolean {
  return query.get("list-type") === "2";
}
