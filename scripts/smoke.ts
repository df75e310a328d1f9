import { smokeCommand } from "./smoke/command.ts";

/** `npm run smoke` sends requests to every endpoint of a deployment, or of the local service, and checks the answers. */
await smokeCommand(process.argv.slice(2));
