import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const MODULE = new URL("json-log.ts", import.meta.url).href;

it("what packages and Node print becomes one JSON document per line, with the severity that Cloud Logging reads", () => {
  const program = `
    const { logAsJson } = await import(${JSON.stringify(MODULE)});
    logAsJson();
    console.warn("Use %s instead: ", "this", { nested: { deeply: 1 } });
    console.error(new Error("two\\nlines"));
    setTimeout(() => undefined, -1);
    process.emitWarning("may change", "ExperimentalWarning");`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--no-warnings", "--input-type=module", "--eval", program], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line)),
  ).toEqual([
    { severity: "WARNING", message: "Use this instead:  { nested: { deeply: 1 } }", time: expect.any(String) },
    { severity: "ERROR", message: expect.stringMatching(/^Error: two\nlines\n +at /), time: expect.any(String) },
    {
      severity: "WARNING",
      message: expect.stringMatching(/^TimeoutNegativeWarning: -1 is a negative number/),
      stack_trace: expect.any(String),
      time: expect.any(String),
    },
  ]);
});
