import { createHash } from "node:crypto";
import { invalidFields } from "../http/errors.ts";
import type { GeographyFilters } from "./find.ts";

/** Bytes of a cursor: the id of the page's last geography, and a digest of id and filters. */
const ID_BYTES = 8;
const DIGEST_BYTES = 8;

/** Returns an opaque cursor: the position after a geography in the list that these filters select. */
export function encodeGeographyCursor(filters: GeographyFilters, geoId: number): string {
  const { country, geoType, bbox, name, ids } = filters;
  const canonical = JSON.stringify([country, geoType, bbox ?? null, name ?? null, ids ? ids.toSorted((a, b) => a - b) : null, geoId]);
  const bytes = Buffer.alloc(ID_BYTES + DIGEST_BYTES);
  bytes.writeBigUInt64BE(BigInt(geoId));
  createHash("sha256").update(canonical).digest().copy(bytes, ID_BYTES, 0, DIGEST_BYTES);
  return bytes.toString("base64url");
}

/** Returns the geography id of a cursor. Throws `invalid_argument` for a cursor that no page with the same filters has returned. */
export function decodeGeographyCursor(filters: GeographyFilters, cursor: string): number {
  const bytes = Buffer.from(cursor, "base64url");
  const geoId = bytes.length === ID_BYTES + DIGEST_BYTES ? Number(bytes.readBigUInt64BE()) : Number.NaN;
  if (Number.isSafeInteger(geoId) && encodeGeographyCursor(filters, geoId) === cursor) return geoId;
  const detail = "must be the next_cursor of a page of the same country_code, geo_type, bbox, q and ids";
  throw invalidFields([{ pointer: "/cursor", detail }]);
}
