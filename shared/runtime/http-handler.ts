import type { IncomingMessage, ServerResponse } from "node:http";

/** An HTTP function, as the functions framework takes it. Resolves when the answer has been handed to Node; never rejects. */
export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
