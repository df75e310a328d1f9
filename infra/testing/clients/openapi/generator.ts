import type { CheckContext, Client } from "../client.ts";
import { mavenJar } from "../tools/maven.ts";
import { mustRun } from "../tools/run-program.ts";
import { fetchDocuments } from "./documents.ts";
import { runTypeScript } from "./node.ts";

const generator = mavenJar("org.openapitools:openapi-generator-cli:7.17.0");
/** With names in camel case, this generator sends a union's discriminator under a second name, which the service does not know. */
const ORIGINAL_NAMES = "--additional-properties=modelPropertyNaming=original,paramNaming=original";

async function typescriptFetch(context: CheckContext): Promise<void> {
  for (const { api, file } of await fetchDocuments(context))
    await mustRun("java", ["-jar", await generator.jar(), "generate", "-g", "typescript-fetch", ORIGINAL_NAMES, "-i", file, "-o", api], {
      folder: context.folder,
    });
  await runTypeScript(context, "typescript-fetch");
}

/** Maven Central's openapi-generator, on the machine's Java. */
export const openapiGenerator: Client = {
  name: "openapi-generator",
  tool: generator,
  checks: [{ name: "typescript-fetch: login, preview, map, job", quick: false, run: typescriptFetch }],
};
