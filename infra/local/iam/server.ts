export { startIam } from "./credentials.ts";
export { startMetadata } from "./metadata.ts";
