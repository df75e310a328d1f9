import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { keyOf, login, newCustomer, underTest } from "./service-under-test.ts";

function run(input: string, ...args: string[]) {
  const words = ["scripts/admin.ts", ...args, "--state", underTest().stateDirectory];
  const { status, stdout, stderr } = spawnSync("node", ["--disable-warning=ExperimentalWarning", ...words], { input });
  return { status, out: String(stdout), err: String(stderr) };
}

/** Tests of the tool as a process: its streams and exit codes. */
export function processSuite(): void {
  describe("npm run admin", () => {
    it("asks on standard error, writes only its answer to standard output, and exits with 0", async () => {
      const customer = await newCustomer();
      const { status, out, err } = run("y\n", "keys", "rotate", customer.uid, "storage", "--json");
      expect([status, await login(keyOf(customer, "storage"))]).toEqual([0, 401]);
      const { apiKey } = JSON.parse(out);
      expect(await login(apiKey)).toBe(200);
      expect(err).toMatch(/Rotate it\? \[y\/N\] \n$/);
      expect(err).not.toContain(apiKey);
    });

    it("treats the end of its input as no answer, changes nothing and exits with 1", async () => {
      const customer = await newCustomer();
      const { status, out, err } = run("", "customers", "delete", customer.uid);
      expect([status, out, await login(keyOf(customer, "storage"))]).toEqual([1, "", 200]);
      expect(err).toMatch(/customers delete: There was no answer, so nothing was changed; use --yes to skip the question\n$/);
    });
  });
}
