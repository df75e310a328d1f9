import * as v from "valibot";
import { notImplemented, StorageFault } from "./storage-fault.ts";

const EXPIRES_SECONDS_MAX = 604_800;

/** The parameters of a V4 signed URL. */
export interface SignedQuery {
  readonly account: string;
  /** `YYYYMMDD/{location}/storage/goog4_request` */
  readonly scope: string;
  /** As sent, `YYYYMMDDTHHMMSSZ`. */
  readonly date: string;
  /** Milliseconds since 1970. */
  readonly signedAt: number;
  readonly expiresAt: number;
  /** Lower-case names, separated by semicolons, in order. */
  readonly signedHeaders: string;
  readonly signature: Buffer;
}

const Credential = v.pipe(v.string(), v.regex(/^[^/@]+@[^/]+\/\d{8}\/[\w-]+\/storage\/goog4_request$/));
const PARAMETERS = {
  "x-goog-algorithm": v.literal("GOOG4-RSA-SHA256"),
  "x-goog-credential": Credential,
  "x-goog-date": v.pipe(v.string(), v.regex(/^\d{8}T\d{6}Z$/)),
  "x-goog-expires": v.pipe(v.string(), v.regex(/^\d{1,6}$/), v.transform(Number), v.minValue(1), v.maxValue(EXPIRES_SECONDS_MAX)),
  "x-goog-signedheaders": v.pipe(v.string(), v.regex(/^[a-z0-9-]+(;[a-z0-9-]+)*$/), v.check(isSortedWithHost)),
  "x-goog-signature": v.pipe(v.string(), v.regex(/^([0-9a-fA-F]{2})+$/)),
} as const;
const Parameters = v.object(PARAMETERS);

/** Whether a request is signed in its URL: by the parameters of a V4 signature, or of its predecessor. */
export function isSignedUrl(query: URLSearchParams): boolean {
  return [...query.keys()].some((name) => name.toLowerCase() in PARAMETERS || name === "GoogleAccessId");
}

/** Parses the parameters of a signed URL, whose names may be of any case. Throws a 400 that names the first missing or malformed one. */
export function parseSignedQuery(query: URLSearchParams): SignedQuery {
  if (query.has("GoogleAccessId")) throw notImplemented("A V2 signed URL");
  const parsed = v.safeParse(Parameters, Object.fromEntries([...query].map(([name, value]) => [name.toLowerCase(), value])));
  if (!parsed.success) throw malformed(v.getDotPath(parsed.issues[0]) ?? "", "The parameter of the signature is missing or malformed.");
  const { "x-goog-credential": credential, "x-goog-date": date, "x-goog-expires": seconds } = parsed.output;
  const slash = credential.indexOf("/");
  const scope = credential.slice(slash + 1);
  const signedAt = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (Number.isNaN(signedAt) || !scope.startsWith(date.slice(0, 8)))
    throw malformed("x-goog-date", "The date of the signature is not that of its credential.");
  return {
    account: credential.slice(0, slash),
    scope,
    date,
    signedAt,
    expiresAt: signedAt + seconds * 1000,
    signedHeaders: parsed.output["x-goog-signedheaders"],
    signature: Buffer.from(parsed.output["x-goog-signature"], "hex"),
  };
}

/** Returns Google's error for a malformed parameter or header of a signature. */
export function malformed(parameter: string, details: string): StorageFault {
  return new StorageFault("malformedSecurityHeader", `Your request has a malformed header. ${details}`, {}, { ParameterName: parameter });
}

function isSortedWithHost(names: string): boolean {
  const list = names.split(";");
  return list.includes("host") && [...new Set(list)].sort().join(";") === names;
}
