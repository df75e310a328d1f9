import { parseInstant } from "../domain/time-window.ts";
import { invalidFields } from "../errors.ts";
import type { MapCursor } from "../stores/maps.ts";

/** The place of a map in the list, as a text that means nothing to its reader. */
export function encodeCursor({ createdAt, id }: MapCursor): string {
  return Buffer.from(`${createdAt.toISOString()} ${id}`).toString("base64url");
}

/** Reads a cursor. Throws `invalid_argument` for what no list has given out. */
export function decodeCursor(cursor: string): MapCursor {
  const [time = "", id = ""] = Buffer.from(cursor, "base64url").toString("latin1").split(" ");
  const createdAt = parseInstant(time);
  if (createdAt && /^[A-Za-z0-9]{20}$/.test(id)) return { createdAt, id };
  throw invalidFields([{ pointer: "/cursor", detail: "must be a next_cursor of this list" }]);
}
