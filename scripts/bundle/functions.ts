import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { catalogue } from "../../functions/catalogue.ts";

/** The members of `functions.json` that a bundle needs. */
const Listed = v.object({
  name: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]*$/)),
  entry: v.pipe(v.string(), v.regex(/^functions\/[\w/-]+\.ts$/)),
  trigger: v.picklist(["http", "topic", "schedule"]),
});

/** The source of a bundle's entry, with the name of its function. */
export interface Entry {
  readonly name: string;
  readonly source: string;
}

/** The framework's import name in entries; the build redirects it to the copy beside the functions. */
const FRAMEWORK = "@google-cloud/functions-framework";

/** Returns the entries of all functions in a project's `infra/generated/functions.json`, in order. */
export function functionEntries(root: string): Entry[] {
  const listed = v.parse(v.array(Listed), JSON.parse(readFileSync(join(root, "infra/generated/functions.json"), "utf8")));
  return listed.map(({ name, entry, trigger }) => ({ name, source: entrySource(name, entry, registrationOf(name, trigger)) }));
}

/** The smoke test, which the image has for the probes (terraform/modules/probe). */
export const SMOKE_ENTRY: Entry = {
  name: "smoke",
  source: `import { smokeCommand } from "./scripts/smoke/command.ts";\nvoid smokeCommand(process.argv.slice(2));`,
};

/** Returns an entry that registers the function and exports its handler for a framework other than that copy. */
function entrySource(name: string, entry: string, register: string): string {
  const takesOver = register !== "registerTopic";
  return [
    `import { cloudEvent, http } from "${FRAMEWORK}";`,
    `import definition from "./${entry}";`,
    `import { ${register} } from "./functions/entry.ts";`,
    `import { shutDownOnSigterm } from "./shared/runtime/graceful-shutdown.ts";`,
    "shutDownOnSigterm();",
    ...(takesOver ? [`import { takeOverRequests } from "./shared/http/http-request.ts";`, "takeOverRequests();"] : []),
    `const handler = ${register}({ cloudEvent, http }, definition);`,
    `export { handler as "${name}" };`,
  ].join("\n");
}

function registrationOf(name: string, trigger: v.InferOutput<typeof Listed>["trigger"]): string {
  if (trigger === "topic") return "registerTopic";
  if (trigger === "schedule") return "registerSchedule";
  return catalogue.find((endpoint) => endpoint.name === name)?.auth === "none" ? "registerPublicEndpoint" : "registerEndpoint";
}
