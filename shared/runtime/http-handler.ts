import type { IncomingMessage, ServerResponse } from "node:http";

/** An HTTP function for the functions framework. Resolves when the response has been handed to Node. Never rejects. */
export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
