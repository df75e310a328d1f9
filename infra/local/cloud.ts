import * as v from "valibot";
import { failCloud } from "./cloud-failure.ts";
import { startGoogleEngines } from "./engines.ts";
import { logAsJson } from "./json-log.ts";
import { CloudOptions } from "./messages.ts";
import { endWithParent } from "./parent.ts";

/** The process of the local cloud, which `cloud-products.ts` describes. */
async function main(options: CloudOptions): Promise<void> {
  logAsJson();
  endWithParent(async () => undefined);
  // Google's emulators take longest: all else of this process is loaded while they start.
  const google = startGoogleEngines(options.engines, options.project, options.dataDirectory);
  const { serveCloud } = await import("./cloud-products.ts");
  await serveCloud(options, google);
}

const options = v.parse(CloudOptions, JSON.parse(process.argv[2] ?? "{}"));
try {
  await main(options);
} catch (error) {
  failCloud(error, options);
}
