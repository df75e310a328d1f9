import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { keyOf, newCustomer, ready } from "../infra/testing/service.ts";
import { BUILT, makeSandbox } from "../scripts/cloud/testing/sandbox.ts";
import { catalogue } from "./catalogue.ts";

const customer = await newCustomer();

/** Runs the smoke test like `scripts/deploy`. */
async function smoke(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child = spawn("node", ["--disable-warning=ExperimentalWarning", "scripts/smoke.ts", ...args], {
    env: { ...process.env, SMOKE_KEY: "", ...environment },
  });
  const text = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => (text.stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (text.stderr += String(chunk)));
  const exit = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { ...text, exit };
}

const bases = ["--users", ready.users_base_url, "--data", ready.data_base_url];

describe("the smoke test of a deployment", () => {
  it("finds every endpoint of a complete service, with and without a key", async () => {
    const { exit, stdout, stderr } = await smoke(bases, { SMOKE_KEY: keyOf(customer) });
    expect([exit, stderr]).toEqual([0, ""]);
    for (const { name, method, path, auth } of catalogue) {
      const line = stdout.split("\n").find((one) => one.includes(` ${name} `) && one.includes(`${method} `) && one.includes(path));
      expect(line, name).toMatch(auth === "none" ? / 200 +405 *$/ : / 401 +[234]\d\d +405 *$/);
    }
    expect(stdout).toContain(`All ${catalogue.length + 2} answers are correct`);
  });

  it("does a customer's journey: logs in, reads with the key, and lists its exports with the token", async () => {
    const objects = `${ready.storage_endpoint}/storage/v1/b/${ready.export_bucket}/o`;
    const { exit, stdout, stderr } = await smoke([...bases, "--journey", "--objects", objects], { SMOKE_KEY: keyOf(customer) });
    expect([exit, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("All 7 answers are correct");
    expect(stdout).not.toContain(keyOf(customer));
    const elsewhere = [...bases, "--journey", "--objects", `${ready.storage_endpoint}/storage/v1/b/nobodys/o`];
    const failed = await smoke(elsewhere, { SMOKE_KEY: keyOf(customer) });
    expect([failed.exit, failed.stderr]).toEqual([
      1,
      expect.stringMatching(/GET storage results\/\{uid\}\/ with the key: 40\d instead of 200/),
    ]);
    const refused = await smoke([...bases, "--journey"], { SMOKE_KEY: "0".repeat(64) });
    expect([refused.exit, refused.stderr]).toEqual([
      1,
      expect.stringContaining("POST users /login-with-apikey with the key: 401 instead of 200"),
    ]);
  });

  it("changes nothing with the key: the customer's data stays the same", async () => {
    const before = await newCustomer();
    const own = { headers: { "x-api-key": keyOf(before) } };
    await smoke(bases, { SMOKE_KEY: keyOf(before) });
    const maps = await (await fetch(`${ready.users_base_url}/admin/maps`, own)).json();
    const jobs = await (await fetch(`${ready.data_base_url}/data-agg/jobs`, own)).json();
    expect([maps, jobs]).toMatchObject([{ maps: [] }, { jobs: [] }]);
  });

  it("is the last step of a deployment, which reports what is deployed", async () => {
    const sandbox = makeSandbox();
    const urls = JSON.stringify({ base_urls: { users: ready.users_base_url, data: ready.data_base_url } });
    const rules = [
      { call: "output -json environment", answer: urls },
      { call: "^git log", answer: "abc1234 A commit" },
      { call: "^gcloud run services list", answer: "[]" },
      ...BUILT,
    ];
    const { exit, output } = await sandbox.run("deploy", ["dev", "--yes"], { rules, environment: { SMOKE_KEY: keyOf(customer) } });
    sandbox.remove();
    expect([exit, output]).toEqual([0, expect.stringContaining(`All ${catalogue.length + 2} answers are correct`)]);
    expect(output).toContain("dev is deployed: abc1234 A commit");
  });

  it("reports wrong routes if an endpoint is missing", async () => {
    const { exit, stdout, stderr } = await smoke(["--users", ready.data_base_url, "--data", ready.users_base_url]);
    expect(exit).toBe(1);
    expect(stderr).toContain("GET data /data-agg without a key: 404 instead of 401");
    expect(stderr).toContain("POST users /login-with-apikey by another method: 404 instead of 405");
    expect(stdout).toMatch(/\d+ answers are wrong/);
  });

  it("reports an unknown key", async () => {
    const { exit, stderr } = await smoke(bases, { SMOKE_KEY: "0".repeat(64) });
    expect([exit, stderr]).toEqual([1, expect.stringContaining("GET users /admin/maps with the key: the key is unknown")]);
  });

  it("reports why there is no response", async () => {
    const { exit, stderr } = await smoke(["--users", "http://127.0.0.1:9", "--data", ready.data_base_url]);
    expect([exit, stderr]).toEqual([1, expect.stringMatching(/POST users \/login-with-apikey without a key: no answer: .+/)]);
  });

  it("retries for as long as --patience allows", async () => {
    const { exit, stdout } = await smoke(["--users", "http://127.0.0.1:9", "--data", "http://127.0.0.1:9", "--patience", "1"]);
    expect([exit, stdout]).toEqual([1, expect.stringMatching(/\d+ answers are wrong; retrying/)]);
  });

  it.each([
    ["one base URL only", ["--users", "http://127.0.0.1:9"], "The base URLs of both APIs are required"],
    [
      "an invalid patience",
      ["--users", "http://127.0.0.1:9", "--data", "http://127.0.0.1:9", "--patience", "soon"],
      "soon is not a number of seconds",
    ],
    [
      "a journey without a key",
      ["--users", "http://127.0.0.1:9", "--data", "http://127.0.0.1:9", "--journey"],
      "--journey needs the key SMOKE_KEY",
    ],
    ["a missing outputs file", ["--outputs", "/nowhere/outputs.json"], "ENOENT"],
  ])("does not start with %s", async (_what, args, says) => {
    const { exit, stderr } = await smoke(args);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(says)]);
  });
});
