import type { Api } from "../openapi.ts";

/**
 * A request without its sender. `~uid~`, `~map.3~`, `~job.3~` and `~cursor.3~` in its target and body are replaced by the sender's values.
 * Headers named `x-api-key` are sent as they are; `withKey` adds the sender's key.
 */
export interface Sketch {
  readonly kind: "valid" | "nearly" | "wild";
  readonly api: Api;
  /** The function to call at its own address, bypassing the router. Default: the API's address. */
  readonly functionName: string | undefined;
  readonly method: string;
  readonly target: string;
  readonly withKey: boolean;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
  /** `latin1`: the body's characters are arbitrary bytes. */
  readonly encoding: "utf8" | "latin1";
}

/** Encodes any text as part of a request line: characters that are not allowed there are percent-encoded. */
export function lineText(text: string): string {
  return Buffer.from(text)
    .toString("latin1")
    .replaceAll(/[^!-~]/g, percent);
}

function percent(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/** Encodes any text as a path segment or part of a query. */
export function encoded(text: string): string {
  return Buffer.from(text)
    .toString("latin1")
    .replaceAll(/[^\w.~,:-]/g, percent);
}

/** Converts any text to a header value, without control characters and characters beyond Latin-1. */
export function headerText(text: string): string {
  return text.replaceAll(/[^\t -~\xa0-\xff]/g, "?");
}
