import type { Api } from "../openapi.ts";

/**
 * A request before it is known who sends it. `~uid~`, `~map.3~`, `~job.3~` and `~cursor.3~` in its target and body stand for something of
 * the sender's. Headers named `x-api-key` are as they stand; the sender's key comes with `withKey`.
 */
export interface Sketch {
  readonly kind: "valid" | "nearly" | "wild";
  readonly api: Api;
  /** The function whose own address is asked, past the router; the API's when left out. */
  readonly functionName: string | undefined;
  readonly method: string;
  readonly target: string;
  readonly withKey: boolean;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
  /** `latin1`: the body's characters are bytes, in whatever order. */
  readonly encoding: "utf8" | "latin1";
}

/** Writes any text as a part of a request line: the characters that may not stand there are percent-encoded. */
export function lineText(text: string): string {
  return Buffer.from(text)
    .toString("latin1")
    .replaceAll(/[^!-~]/g, percent);
}

function percent(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/** Writes any text as a segment of a path or a part of a query. */
export function encoded(text: string): string {
  return Buffer.from(text)
    .toString("latin1")
    .replaceAll(/[^\w.~,:-]/g, percent);
}

/** Writes any text as the value of a header, where control characters and those beyond Latin-1 may not stand. */
export function headerText(text: string): string {
  return text.replaceAll(/[^\t -~\xa0-\xff]/g, "?");
}
