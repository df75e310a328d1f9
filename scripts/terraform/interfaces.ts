import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What a module of Terraform takes and gives. Types and defaults are Terraform's own text, on one line. */
export interface Interface {
  readonly inputs: readonly {
    readonly name: string;
    readonly type: string;
    readonly default: string | undefined;
    readonly meaning: string;
  }[];
  readonly outputs: readonly { readonly name: string; readonly meaning: string }[];
}

/** Reads the variables and outputs of a folder, which are as `terraform fmt` writes them. Throws for one without a description. */
export function interfaceOf(folder: string): Interface {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(".tf"))
    .sort();
  const text = files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
  const blocks = (kind: string) =>
    [...text.matchAll(new RegExp(`^${kind} "(\\w+)" \\{\\n(.*?)^\\}`, "gms"))].map(([, name = "", body = ""]) => ({ name, body }));
  const described = ({ name, body }: { name: string; body: string }) => {
    const description = argument(body, "description");
    if (description === undefined) throw new Error(`${folder}: ${name} has no description`);
    return { name, meaning: String(JSON.parse(description)) };
  };
  return {
    inputs: blocks("variable").map((block) => ({
      ...described(block),
      type: argument(block.body, "type") ?? "any",
      default: argument(block.body, "default"),
    })),
    outputs: blocks("output").map(described),
  };
}

/** Returns the text of a block's argument, on one line and without comments. */
function argument(body: string, name: string): string | undefined {
  const [, text] = new RegExp(`^ {2}${name} += (.*(?:\\n(?: {3,}.*| {2}[\\])}].*))*)`, "m").exec(body) ?? [];
  return text
    ?.replaceAll(/ +#.*$/gm, "")
    .replaceAll(/ +/g, " ")
    .replaceAll(/([{[(])\n /g, "$1 ")
    .replaceAll(/,?\n ([}\])])/g, " $1")
    .replaceAll(/,?\n /g, ", ");
}
