// Replaces globals that the clients use for their tokens and requests: the first use of one of Node's loads the whole of Node's fetch. The clients
// send requests with node-fetch, whose classes these are.
export { FormData } from "formdata-polyfill/esm.min.js";
export { default as Headers, default as "globalThis.Headers" } from "node-fetch/src/headers.js";
