import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { interfaceOf } from "./interfaces.ts";

const MARK = "<!-- Written by `npm run generate` from here on. -->";

/** The READMEs of roots, with the folder whose inputs and outputs each lists: the environments have the same. */
const ROOTS: readonly (readonly [readme: string, folder: string])[] = [
  ["environments", "environments/prod"],
  ["customers", "customers"],
];

/**
 * Returns the READMEs of Terraform's modules and roots by path: the text that people wrote, then lists of inputs and outputs.
 * Throws for a folder without a README, or one without text.
 * @param folder Terraform's folder
 */
export function readmes(folder: string): Map<string, string> {
  const modules = readdirSync(join(folder, "modules")).map((name) => [`modules/${name}`, `modules/${name}`] as const);
  return new Map(
    [...modules, ...ROOTS].map(([place, described]) => {
      const path = join(folder, place, "README.md");
      const [text = ""] = existsSync(path) ? readFileSync(path, "utf8").split(MARK) : [];
      if (text.trim() === "") throw new Error(`${path} must say what the folder makes`);
      return [`${place}/README.md`, `${text.trimEnd()}\n\n${MARK}\n\n${lists(join(folder, described))}`];
    }),
  );
}

/** A list, not a table: a type may be long. */
function lists(folder: string): string {
  const { inputs, outputs } = interfaceOf(folder);
  const defaultOf = (value: string | undefined) => (value === undefined ? "required" : `default \`${value}\``);
  return [
    "## Inputs",
    "",
    ...inputs.map((one) => `- \`${one.name}\`: ${one.meaning} \`${one.type}\`, ${defaultOf(one.default)}.`),
    "",
    "## Outputs",
    "",
    ...outputs.map(({ name, meaning }) => `- \`${name}\`: ${meaning}`),
    "",
  ].join("\n");
}
