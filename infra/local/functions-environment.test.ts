import { afterEach, expect, it, vi } from "vitest";
import { parseConfig } from "../../shared/runtime/config.ts";
import { asFunction } from "./as-function.ts";
import { functionsEnvironment } from "./functions-environment.ts";
import type { CloudReady } from "./messages.ts";

const ADDRESS = "127.0.0.1:9";
const CLOUD: Omit<CloudReady, "engines"> = {
  ...{ firestore: ADDRESS, firestore_admin: ADDRESS, pubsub: ADDRESS, tasks: ADDRESS, iam: ADDRESS, metadata: ADDRESS },
  ...{ storage: ADDRESS, bigquery: ADDRESS, function_tokens: { "customers-me": "of-its-account" } },
};
const OPTIONS = { countriesFile: "countries.json", databases: { main: "(default)", usage: "usage" }, tickSeconds: 300 };

/** The token of a function, in a process that has inherited these starts' variables, one after the other. */
function tokenAfter(...engines: readonly string[]): string | undefined {
  for (const engine of engines)
    for (const [name, value] of Object.entries(
      functionsEnvironment({ ...CLOUD, engines: { firestore: engine, pubsub: engine, warehouse: "duckdb" } }, OPTIONS),
    ))
      vi.stubEnv(name, value);
  return asFunction(parseConfig(process.env), "customers-me").accessToken;
}

afterEach(() => vi.unstubAllEnvs());

it("gives each function its account's token where the engines know accounts", () => {
  expect(tokenAfter("embedded")).toBe("of-its-account");
});

it("leaves no token of an earlier start in the same process", () => {
  expect(tokenAfter("embedded", "google-emulator")).toBeUndefined();
});
