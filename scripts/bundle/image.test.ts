import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import type { Bundle } from "./bundles.ts";
import { imageFiles, imageTag } from "./image.ts";
import { imageEnvironment } from "./testing/running-bundle.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bundle = (name: string, code: string): Bundle => ({
  name,
  files: new Map([
    [`${name}.cjs`, code],
    ["functions-framework.cjs", "framework"],
    ["LICENSES.txt", name],
  ]),
  packages: [],
  sources: [],
});
const bundles = [bundle("auth-login", "1"), bundle("maps-list", "2")];
const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

it("an image holds every function beside one framework, and says whose code that is", () => {
  expect([...imageFiles(root, bundles).keys()].sort()).toEqual([
    "Dockerfile",
    "LICENSES.txt",
    "auth-login.cjs",
    "compile-cache.cjs",
    "functions-framework.cjs",
    "functions.json",
    "maps-list.cjs",
  ]);
});

it("an image is named by its content, in any order", () => {
  const tag = imageTag(imageFiles(root, bundles));
  expect(tag).toMatch(/^[0-9a-f]{64}$/);
  expect(imageTag(imageFiles(root, bundles.toReversed()))).toBe(tag);
  expect(imageTag(imageFiles(root, [bundle("auth-login", "1"), bundle("maps-list", "3")]))).not.toBe(tag);
});

it("functions run on the Node.js that the tests run on, by digest", () => {
  expect(text("scripts/image/Dockerfile")).toMatch(
    new RegExp(`^FROM node:${manifest.devDependencies.node.replaceAll(".", "\\.")}-bookworm-slim@sha256:[0-9a-f]{64}$`, "m"),
  );
});

it.each(["NODE_OPTIONS", "FIRESTORE_ENABLE_TRACING"])("functions are tried with the %s that the image sets", (name) => {
  expect(text("scripts/image/Dockerfile")).toContain(`\nENV ${name}=${imageEnvironment("")[name]}\n`);
});

it("a service starts its function in the folder and by the names that the image has", () => {
  expect(text("scripts/image/Dockerfile")).toMatch(/^WORKDIR \/app$/m);
  const service = text("terraform/modules/function/service.tf");
  expect(service).toMatch(/^ +command = \["node"\]$/m);
  expect(service).toMatch(/^ +args += \["functions-framework\.cjs", "--target=\$\{var\.name\}", "--source=\$\{var\.name\}\.cjs"\]$/m);
});
