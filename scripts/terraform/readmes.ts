import { readdirSync } from "node:fs";
import { join } from "node:path";
import { interfaceOf } from "./interfaces.ts";

/** The roots with a README, each with the folder whose inputs and outputs it lists: the environments have the same. */
const ROOTS: readonly (readonly [place: string, folder: string])[] = [
  ["terraform/customers", "terraform/customers"],
  ["terraform/environments", "terraform/environments/prod"],
];

/** Returns the generated part of the README of each module and root: its inputs and outputs. */
export function terraformSections(root: string): Record<string, Record<string, string>> {
  const modules = readdirSync(join(root, "terraform/modules")).map((name) => `terraform/modules/${name}`);
  const places = [...ROOTS, ...modules.map((folder) => [folder, folder] as const)];
  return Object.fromEntries(places.map(([place, folder]) => [`${place}/README.md`, { "inputs and outputs": lists(join(root, folder)) }]));
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
  ].join("\n");
}
