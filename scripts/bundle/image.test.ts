import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import type { Bundle } from "./bundles.ts";
import { imageFiles, imageTag } from "./image.ts";
import { imageEnvironment, SERVICE_COMMAND } from "./testing/running-bundle.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bundle = (name: string, code: string): Bundle => ({
  name,
  files: new Map([
    [`${name}.cjs`, code],
    ["functions-framework.cjs", "framework"],
    ["start.cjs", "start"],
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
    "fill-code-cache.cjs",
    "first-requests.json",
    "functions-framework.cjs",
    "maps-list.cjs",
    "start.cjs",
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

it("functions are tried with the options of Node.js that the image sets", () => {
  const { NODE_OPTIONS, ...rest } = imageEnvironment("");
  expect(text("scripts/image/Dockerfile")).toContain(`\nENV NODE_OPTIONS=${NODE_OPTIONS}\n`);
  expect(text("scripts/image/Dockerfile")).toMatch(new RegExp(`^ENV ${Object.keys(rest).join("=\\S+ ")}=\\S+$`, "m"));
});

it("a service starts its function in the folder and by the names that the image has, as functions are tried", () => {
  expect(text("scripts/image/Dockerfile")).toMatch(/^WORKDIR \/app$/m);
  const service = text("terraform/modules/function/service.tf");
  expect(/^ +command = (.+)$/m.exec(service)?.[1]).toBe(`[${SERVICE_COMMAND.map((part) => `"${part}"`).join(", ")}]`);
  expect(service).toMatch(/^ +args += \["start\.cjs", "--target=\$\{var\.name\}", "--source=\$\{var\.name\}\.cjs"\]$/m);
});
