import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import * as v from "valibot";

const Range = v.object({ startOffset: v.number(), endOffset: v.number(), count: v.number() });
const FunctionCoverage = v.object({ functionName: v.string(), ranges: v.tupleWithRest([Range], Range) });
const Coverage = v.object({ result: v.array(v.object({ url: v.string(), functions: v.array(FunctionCoverage) })) });
type FunctionCoverage = v.InferOutput<typeof FunctionCoverage>;

const BUILDER = /^export function (\w+(?:Statement|Query))\b/gm;

/**
 * Returns what a program does not reach in the statement builders of some files, one line each with file and code: builders (exported
 * functions named `…Statement` or `…Query`) that are not called, branches that are not taken, callbacks that never run. `throw` may stay
 * unreached. Measured with V8's block coverage.
 * @param program an ES module
 */
export async function unreached(files: readonly string[], program: string): Promise<string[]> {
  const scripts = await coverageOf(program);
  return files.toSorted().flatMap((path) => {
    const source = readFileSync(path, "utf8");
    const functions = scripts.get(pathToFileURL(path).href) ?? [];
    return [...builders(source, functions), ...branches(source, functions)].map((code) => `${path}: ${code}`);
  });
}

async function coverageOf(program: string): Promise<Map<string, FunctionCoverage[]>> {
  const directory = mkdtempSync(join(tmpdir(), "populus-coverage-"));
  try {
    const env = { ...process.env, NODE_V8_COVERAGE: directory };
    await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], { env });
    const reports = readdirSync(directory).map((file) => v.parse(Coverage, JSON.parse(readFileSync(join(directory, file), "utf8"))));
    return new Map(reports.flatMap(({ result }) => result).map(({ url, functions }) => [url, functions]));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function builders(source: string, functions: readonly FunctionCoverage[]): string[] {
  const called = new Set(functions.filter(ran).map(({ functionName }) => functionName));
  return [...source.matchAll(BUILDER)].flatMap(([, name = ""]) => (called.has(name) ? [] : [`${name} is not called`]));
}

/** Type stripping keeps every character's position, so V8's offsets match the source. */
function branches(source: string, functions: readonly FunctionCoverage[]): string[] {
  const inCalled = (inner: FunctionCoverage) =>
    functions.some((outer) => outer !== inner && outer.functionName !== "" && ran(outer) && encloses(outer, inner));
  const untaken = functions.flatMap((one) => {
    if (ran(one)) return one.ranges.filter(({ count }) => count === 0);
    return one.functionName === "" && inCalled(one) ? [one.ranges[0]] : [];
  });
  const codes = untaken.map(({ startOffset, endOffset }) => source.slice(startOffset, endOffset).trim());
  return codes.filter((code) => !/^\{?\s*throw\b/.test(code)).map((code) => `${code} is not reached`);
}

function ran({ ranges: [whole] }: FunctionCoverage): boolean {
  return whole.count > 0;
}

function encloses({ ranges: [outer] }: FunctionCoverage, { ranges: [inner] }: FunctionCoverage): boolean {
  return outer.startOffset <= inner.startOffset && inner.endOffset <= outer.endOffset;
}
