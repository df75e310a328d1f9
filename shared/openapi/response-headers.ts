import { RESPONSE_HEADERS, type ResponseHeader } from "../http/headers.ts";
import type { Node } from "./schemas.ts";

/** Returns headers as OpenAPI describes them, by name. */
export function responseHeaders(names: readonly ResponseHeader[]): Node {
  return Object.fromEntries(names.map((name) => [name, RESPONSE_HEADERS[name]]));
}
