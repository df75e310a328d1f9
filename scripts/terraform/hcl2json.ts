import { createRequire } from "node:module";
import * as v from "valibot";

// Not imported: its declarations bring the browser's globals into every file of the project.
const require = createRequire(import.meta.url);
const parser = v.parse(v.object({ convertFiles: v.function(), getExpressionAst: v.function() }), require("@cdktf/hcl2json"));

/** Returns the blocks of all files of a folder in hcl2json's format. Throws for syntax errors. */
export async function convertFiles(folder: string): Promise<unknown> {
  return parser.convertFiles(folder);
}

/** Returns the syntax tree of an expression; `name` appears in error messages. */
export async function getExpressionAst(name: string, expression: string): Promise<unknown> {
  return parser.getExpressionAst(name, expression);
}
