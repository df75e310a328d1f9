import { createRequire } from "node:module";
import * as v from "valibot";

// Not imported: its declarations bring the browser's globals into every file of the project.
const require = createRequire(import.meta.url);
const parser = v.parse(v.object({ convertFiles: v.function(), getExpressionAst: v.function() }), require("@cdktf/hcl2json"));

/** The blocks of all files of a folder, as hcl2json gives them. Throws for what is not of the language. */
export async function convertFiles(folder: string): Promise<unknown> {
  return parser.convertFiles(folder);
}

/** The syntax tree of an expression; `name` stands in the messages of faults. */
export async function getExpressionAst(name: string, expression: string): Promise<unknown> {
  return parser.getExpressionAst(name, expression);
}
