import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { keyOf, login, newCustomer, underTest } from "./service-under-test.ts";

function run(input: string, ...args: string[]) {
  const words = ["scripts/admin.ts", ...args, "--state", underTest().stateDirectory];
  const { status, stdout, stderr } = spawnSync("node", ["--disable-warning=ExperimentalWarning", ...words], { input });
  return { status, out: String(stdout), err: String(stderr) };
}

/** The tool as a process: what goes where, and how it ends. */
export function processSuite(): void {
  describe("npm run admin", () => {
    it("asks on standard error, writes its answer alone to standard output, and ends with 0", async () => {
      const customer = await newCustomer();
      const { status, out, err } = run("y\n", "keys", "rotate", customer.uid, "storage", "--json");
      expect([status, await login(keyOf(customer, "storage"))]).toEqual([0, 401]);
      const { apiKey } = JSON.parse(out);
      expect(await login(apiKey)).toBe(200);
      expect(err).toMatch(/Rotate it\? \[y\/N\] \n$/);
      expect(err).not.toContain(apiKey);
    });

    it("takes the end of its input for nobody there, changes nothing and ends with 1", async () => {
      const customer = await newCustomer();
      const { status, out, err } = run("", "customers", "delete", customer.uid);
      expect([status, out, await login(keyOf(customer, "storage"))]).toEqual([1, "", 200]);
      expect(err).toMatch(/customers delete: Nobody is there to be asked, so nothing was changed; --yes goes on without asking\n$/);
    });
  });
}
