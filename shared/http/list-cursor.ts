import * as v from "valibot";
import { parseInstant } from "../runtime/time.ts";
import { invalidFields } from "./errors.ts";

/** The last one of a page of a list that is ordered by the time of creation, then by id. */
export interface ListCursor {
  readonly createdAt: Date;
  readonly id: string;
}

/** The place behind one in a list, as a text that means nothing to its reader. */
export function encodeListCursor({ createdAt, id }: ListCursor): string {
  return Buffer.from(`${createdAt.toISOString()} ${id}`).toString("base64url");
}

/** Reads a cursor to an id of a kind. Throws `invalid_argument` for what no list has given out. */
export function decodeListCursor(cursor: string, id: v.GenericSchema<unknown, string>): ListCursor {
  const [time = "", name = ""] = Buffer.from(cursor, "base64url").toString("latin1").split(" ");
  const createdAt = parseInstant(time);
  if (createdAt && v.is(id, name)) return { createdAt, id: name };
  throw invalidFields([{ pointer: "/cursor", detail: "must be a next_cursor of this list" }]);
}
