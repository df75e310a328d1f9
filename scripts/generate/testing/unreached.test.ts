import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { unreached } from "./unreached.ts";

const BUILDERS = `
interface Sizes { readonly wide: boolean; readonly ids: readonly number[] }
export function oneStatement({ wide, ids }: Sizes): string {
  if (ids.length > 9) throw new Error("too many");
  return wide ? "wide" + ids.map((id) => String(id)).join() : "narrow";
}
export function otherQuery(): string { return "other"; }
export function readRows(rows: readonly string[]): number { return rows.length > 0 ? 1 : 0; }
`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "populus-unreached-"));
  writeFileSync(join(folder, "builders.ts"), BUILDERS);
});

afterEach(() => rmSync(folder, { recursive: true }));

function left(calls: string): Promise<string[]> {
  return unreached(
    [join(folder, "builders.ts")],
    `import { oneStatement, otherQuery } from ${JSON.stringify(pathToFileURL(join(folder, "builders.ts")))};\n${calls}`,
  );
}

const NARROW = "oneStatement({ wide: false, ids: [] });";
const WIDE = "oneStatement({ wide: true, ids: [1] });";

it("reports nothing for a program that calls every builder and takes every branch except throws", async () => {
  expect(await left(`${NARROW} ${WIDE} otherQuery();`)).toEqual([]);
});

it("reports a builder that is not called", async () => {
  expect(await left(`${NARROW} ${WIDE}`)).toEqual([`${join(folder, "builders.ts")}: otherQuery is not called`]);
});

it("reports every builder of a file that is not loaded", async () => {
  const all = await unreached([join(folder, "builders.ts")], "");
  expect(all).toEqual([expect.stringMatching(/: oneStatement is not called$/), expect.stringMatching(/: otherQuery is not called$/)]);
});

it("reports a branch that is not taken", async () => {
  expect(await left(`${WIDE} otherQuery();`)).toEqual([expect.stringContaining('"narrow" is not reached')]);
});

it("reports a callback that never runs", async () => {
  const wideOfNone = "oneStatement({ wide: true, ids: [] });";
  expect(await left(`${NARROW} ${wideOfNone} otherQuery();`)).toEqual([expect.stringContaining("(id) => String(id) is not reached")]);
});
