import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readLock } from "../packages/lock.ts";
import { sbom } from "./sbom.ts";

const root = new URL("../..", import.meta.url);
const lock = readLock(root);
const { resolve } = createRequire(import.meta.url);
const own = fileURLToPath(new URL("shared/http/serve.ts", root));
const [firestore, valibot] = ["@google-cloud/firestore", "valibot"].map((name) => resolve(name));

test("lists each package once, with the functions that hold its code, its licence, and the hash that npm verified", () => {
  const archives = [
    { name: "login", sources: [own, valibot ?? "", firestore ?? ""] },
    { name: "list", sources: [valibot ?? ""] },
  ];
  const { integrity = "", version } = lock.packages["node_modules/valibot"] ?? {};
  const content = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
  expect(JSON.parse(sbom(archives, lock))).toMatchObject({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    components: [
      { name: "@google-cloud/firestore", licenses: [{ license: { id: "Apache-2.0" } }], properties: [{ value: "login" }] },
      {
        type: "library",
        purl: `pkg:npm/valibot@${version}`,
        licenses: [{ license: { id: "MIT" } }],
        hashes: [{ alg: "SHA-512", content }],
        properties: [{ value: "list" }, { value: "login" }],
      },
    ],
  });
});

test("the same archives in another order give the same bytes", () => {
  const one = { name: "login", sources: [valibot ?? "", firestore ?? ""] };
  const other = { name: "list", sources: [firestore ?? ""] };
  expect(sbom([other, { ...one, sources: one.sources.toReversed() }], lock)).toBe(sbom([one, other], lock));
});

test("refuses a package that the lock file does not verify", () => {
  const { "node_modules/valibot": valibotEntry, ...packages } = lock.packages;
  const archives = [{ name: "login", sources: [valibot ?? ""] }];
  expect(() => sbom(archives, { packages })).toThrow("has no SHA-512 in package-lock.json: run npm run lock-file");
  const unverified = { ...valibotEntry, integrity: undefined };
  expect(() => sbom(archives, { packages: { ...packages, "node_modules/valibot": unverified } })).toThrow("has no SHA-512");
});

test("refuses a package whose licence may not be deployed", () => {
  const archives = [{ name: "login", sources: [resolve("clipper2-ts")] }];
  expect(() => sbom(archives, lock)).toThrow("is under BSL-1.0, which scripts/packages/licences.ts does not permit");
});
