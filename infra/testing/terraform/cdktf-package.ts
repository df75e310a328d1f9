import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { describe } from "./cdktf-classes.ts";
import type { ProviderSchema } from "./schema.ts";

const SourceMap = v.object({ sourcesContent: v.tuple([v.string()]) });
const MAP = "//# sourceMappingURL=data:application/json;base64,";

/**
 * Reads a provider's schema out of a package that CDKTF generated (`@cdktf/provider-…`), from the TypeScript in its source maps: the JavaScript has lost
 * what is computed. Throws an Error if the package is written in another way.
 * @param folder the package's folder
 */
export function readPackage(folder: string): ProviderSchema {
  const library = join(folder, "lib");
  const texts = readdirSync(library, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => textOf(join(library, name)));
  const described = texts.flatMap((text) => describe(text) ?? []);
  const [own, ...others] = described.filter(({ kind }) => kind === "provider");
  const [, version] = /registry\.terraform\.io\/providers\/\w+\/\w+\/([\d.]+)\/docs/.exec(texts.join("\n")) ?? [];
  if (!own || others.length > 0 || version === undefined) throw new Error(`${folder} has no provider, or more than one`);
  const ofKind = (wanted: string) =>
    Object.fromEntries(described.filter(({ kind }) => kind === wanted).map(({ type, block }) => [type, block]));
  return { version, provider: own.block, resources: ofKind("resource"), dataSources: ofKind("data source") };
}

/** The TypeScript of a resource: one file, or that and the files of its large blocks. */
function textOf(folder: string): string {
  const structs = join(folder, "index-structs");
  const files = [folder, ...(existsSync(structs) ? [structs] : [])].flatMap((one) =>
    readdirSync(one)
      .filter((file) => file.endsWith(".js"))
      .map((file) => readFileSync(join(one, file), "utf8")),
  );
  return files.map(original).join("\n");
}

function original(javaScript: string): string {
  const start = javaScript.lastIndexOf(MAP);
  if (start === -1) return "";
  const map = Buffer.from(javaScript.slice(start + MAP.length).trim(), "base64").toString();
  return v.parse(SourceMap, JSON.parse(map)).sourcesContent[0];
}
