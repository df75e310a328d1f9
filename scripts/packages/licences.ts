import { type LockFile, nameAt } from "./lock.ts";

/** Licences (SPDX) that ask for no more than their text: code under them may be in what is deployed and passed on. */
const DEPLOYED = new Set(["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "ISC", "MIT", "(MIT OR Apache-2.0)"]);

/** Licences of packages that only run here, or whose data is not passed on. */
const TOOLS = new Set([...DEPLOYED, "BSL-1.0", "CC-BY-3.0", "CC-BY-4.0", "CC0-1.0", "MIT OR Apache-2.0", "(MIT OR CC0-1.0)", "MPL-2.0"]);

/** Packages whose package.json states no licence, or not one of SPDX, with what their licence file says. */
const STATED_ELSEWHERE: Readonly<Record<string, string>> = {
  limiter: "MIT",
  "splaytree-ts": "BSD-3-Clause",
};

/** Whether code of this licence may be deployed. */
export function mayBeDeployed(license: string): boolean {
  return DEPLOYED.has(license);
}

/** Returns the packages, each with its licence, whose licence nobody has permitted. */
export function refusedLicences({ packages }: LockFile): string[] {
  return Object.entries(packages).flatMap(([path, { license }]) => {
    if (path === "") return [];
    const name = nameAt(path);
    const stated = STATED_ELSEWHERE[name] ?? license ?? "not stated";
    return TOOLS.has(stated) ? [] : [`${name}: ${stated}`];
  });
}
