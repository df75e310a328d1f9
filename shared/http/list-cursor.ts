import * as v from "valibot";
import { parseInstant } from "../runtime/time.ts";
import { invalidFields } from "./errors.ts";

/** The position after a page's last item. Lists are ordered by creation time, then id. */
export interface ListCursor {
  readonly createdAt: Date;
  readonly id: string;
}

/** Encodes a list position as an opaque string. */
export function encodeListCursor({ createdAt, id }: ListCursor): string {
  return Buffer.from(`${createdAt.toISOString()} ${id}`).toString("base64url");
}

/** Decodes a cursor whose id matches the schema. Throws `invalid_argument` for anything else. */
export function decodeListCursor(cursor: string, id: v.GenericSchema<unknown, string>): ListCursor {
  const [time = "", name = ""] = Buffer.from(cursor, "base64url").toString("latin1").split(" ");
  const createdAt = parseInstant(time);
  if (createdAt && v.is(id, name)) return { createdAt, id: name };
  throw invalidFields([{ pointer: "/cursor", detail: "must be a next_cursor of this list" }]);
}
