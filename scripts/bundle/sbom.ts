import { mayBeDeployed } from "../packages/licences.ts";
import { type LockFile, nameAt } from "../packages/lock.ts";
import { packageOf } from "./package-of.ts";

/** A package whose code is deployed, in the words of CycloneDX. */
interface Component {
  readonly type: "library";
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly object[];
  readonly hashes: readonly { readonly alg: "SHA-512"; readonly content: string }[];
  /** What holds its code: functions, and the web console. */
  readonly properties: readonly { readonly name: "populus:part"; readonly value: string }[];
}

/**
 * Returns the software bill of materials of what is deployed in CycloneDX 1.6: the packages whose code it holds, with licence, and the hash of
 * the package as npm verified it when it was installed. It has neither time nor serial number: the same sources give the same bytes.
 * @param deployed the functions and the web console, each with its source files (absolute paths)
 * @throws Error if a package is not in the lock file, or there without a SHA-512, or if its licence may not be deployed
 */
export function sbom(deployed: readonly { readonly name: string; readonly sources: readonly string[] }[], lock: LockFile): string {
  const parts = new Map<string, Set<string>>();
  const components = new Map<string, Omit<Component, "properties">>();
  for (const { name, sources } of deployed)
    for (const source of sources) {
      const owner = packageOf(source);
      if (!owner) continue;
      const component = components.get(owner.folder) ?? componentOf(owner, lock);
      components.set(owner.folder, component);
      parts.set(component.purl, (parts.get(component.purl) ?? new Set()).add(name));
    }
  // Two copies of one version are one component.
  const unique = new Map([...components.values()].map((component) => [component.purl, component]));
  return `${JSON.stringify(
    {
      $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      version: 1,
      metadata: { component: { type: "application", "bom-ref": "populus", name: "populus", licenses: licensesOf("Apache-2.0") } },
      components: [...unique.values()]
        .sort((a, b) => (a.purl < b.purl ? -1 : 1))
        .map((component) => ({
          ...component,
          properties: [...(parts.get(component.purl) ?? [])].sort().map((value) => ({ name: "populus:part", value })),
        })),
    },
    undefined,
    2,
  )}\n`;
}

function componentOf(
  { name, version, license, folder }: { name: string; version: string; license: string; folder: string },
  { packages }: LockFile,
): Omit<Component, "properties"> {
  if (!mayBeDeployed(license))
    throw new Error(`${name} ${version} is under ${license}, which scripts/packages/licences.ts does not permit`);
  const path = Object.keys(packages).find((candidate) => nameAt(candidate) === name && folder.endsWith(`/${candidate}`));
  const integrity = path === undefined ? undefined : packages[path]?.integrity;
  const [, base64] = /^sha512-(\S+)$/.exec(integrity ?? "") ?? [];
  if (base64 === undefined) throw new Error(`${name} ${version} has no SHA-512 in package-lock.json: run npm run lock-file`);
  // A purl writes the @ of a scope as %40.
  const purl = `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
  const content = Buffer.from(base64, "base64").toString("hex");
  return { type: "library", "bom-ref": purl, name, version, purl, licenses: licensesOf(license), hashes: [{ alg: "SHA-512", content }] };
}

function licensesOf(license: string): object[] {
  return [license.includes(" ") ? { expression: license } : { license: { id: license } }];
}
