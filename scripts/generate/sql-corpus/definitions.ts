import { readdirSync, readFileSync } from "node:fs";
import { ddlFile, type SqlFile } from "./sql-file.ts";

const WAREHOUSE = new URL("../../../infra/warehouse/", import.meta.url);
const SAMPLE_UID = "acmemobility";
const DATASETS = "datasets.sql";

/** Returns the definitions of `infra/warehouse`, datasets first, and of a customer's views, one file per statement. */
export function definitionFiles(): SqlFile[] {
  const tables = sqlFilesOf(WAREHOUSE).filter((file) => file !== DATASETS);
  const views = sqlFilesOf(new URL("customer/", WAREHOUSE)).map((file) => `customer/${file}`);
  return [DATASETS, ...tables, ...views].flatMap((file) => {
    const script = readFileSync(new URL(file, WAREHOUSE), "utf8").replaceAll("{uid}", SAMPLE_UID);
    return statementsOf(script).map(ddlFile);
  });
}

function sqlFilesOf(folder: URL): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort();
}

/** Splits a script after each SQL line that ends in a semicolon. Comments belong to the statement after them. */
function statementsOf(script: string): string[] {
  const statements: string[] = [];
  let lines: string[] = [];
  for (const line of script.trimEnd().split("\n")) {
    if (line === "" && lines.length === 0) continue;
    lines.push(line);
    if (line.startsWith("--") || !line.endsWith(";")) continue;
    statements.push(lines.join("\n"));
    lines = [];
  }
  if (lines.length > 0) throw new Error(`A definition does not end in a semicolon: ${lines.join("\n")}`);
  return statements;
}
