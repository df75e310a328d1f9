import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { catalogue } from "../../functions/catalogue.ts";
import countries from "../../infra/countries.json" with { type: "json" };
import { parseCountries } from "../../shared/countries/parse-countries.ts";
import { objectivesTable } from "../terraform/operations/objectives-table.ts";
import { terraformSections } from "../terraform/readmes.ts";
import { countryTable } from "./country-table.ts";
import { endpointTable } from "./endpoint-table.ts";
import { errorTable } from "./error-table.ts";
import { fencedHelp, helpTexts } from "./help-texts.ts";

/** The parts of pages that are made from the code: content by page and by the name in the part's markers. */
async function sections(root: string): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>> {
  const table = parseCountries("infra/countries.json", countries);
  const helps = Object.entries(await helpTexts());
  return {
    "functions/README.md": { endpoints: endpointTable(catalogue), errors: errorTable(), countries: countryTable(table) },
    ...terraformSections(root),
    "terraform/README.md": { objectives: objectivesTable() },
    "scripts/README.md": Object.fromEntries(helps.map(([command, help]) => [`help of ${command}`, fencedHelp(help)])),
  };
}

/**
 * Returns a page with the content of each part replaced. A part stands between `<!-- generated: NAME -->` and `<!-- end -->`. Throws if a part
 * is missing, or a marker names an unknown one.
 */
export function withSections(page: string, parts: Readonly<Record<string, string>>): string {
  const missing = new Set(Object.keys(parts));
  const result = page.replace(
    /(<!-- generated: ([^>]*?) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_all, start: string, name: string, end: string) => {
      const content = parts[name];
      if (content === undefined) throw new Error(`nothing is generated for the marker "${name}"`);
      missing.delete(name);
      return `${start}\n${content}\n\n${end}`;
    },
  );
  if (missing.size > 0) throw new Error(`no marker for ${[...missing].join(", ")}`);
  return result;
}

/** Writes the generated parts of all pages; with `check`, writes nothing. Returns the pages that differed. */
export async function generateSections(root: string, { check }: { readonly check: boolean }): Promise<string[]> {
  const stale: string[] = [];
  for (const [path, parts] of Object.entries(await sections(root))) {
    const file = join(root, path);
    const page = readFileSync(file, "utf8");
    const wanted = withSections(page, parts);
    if (wanted === page) continue;
    stale.push(path);
    if (!check) writeFileSync(file, wanted);
  }
  return stale;
}
