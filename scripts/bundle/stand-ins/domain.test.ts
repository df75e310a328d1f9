import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { bundleFramework, FRAMEWORK_FILE } from "../build.ts";
import { START_FILE } from "../bundles.ts";
import { removeFolder, startBundle, unpack } from "../testing/running-bundle.ts";

/** Answers with what Node has loaded, or throws in a callback. Each answer waits for the error of another request. */
const FUNCTION = `
const { http } = require("./${FRAMEWORK_FILE}");
let thrown;
const isThrown = new Promise((resolve) => (thrown = resolve));
http("asked", async (request, response) => {
  if (request.path === "/throws") {
    setTimeout(() => { thrown(); throw new Error("in a callback"); });
    return;
  }
  await isThrown;
  response.send(process.moduleLoadList.filter((name) => name === "NativeModule domain").join() + process.pid);
});
`;

it("an error in a callback fails its own request, the process serves others, and Node's domains are not loaded", async () => {
  const { code } = await bundleFramework(process.cwd());
  const folder = unpack(
    new Map([
      [FRAMEWORK_FILE, code],
      [START_FILE, readFileSync(`scripts/image/${START_FILE}`, "utf8")],
      ["asked.cjs", FUNCTION],
    ]),
  );
  const bundle = await startBundle(folder, "asked", {});
  try {
    const waiting = bundle.ask({ method: "GET", path: "/waits" });
    expect(await bundle.ask({ method: "GET", path: "/throws" })).toMatchObject({ status: 500 });
    const { status, text } = await waiting;
    expect([status, text]).toEqual([200, expect.stringMatching(/^\d+$/)]);
    expect(await bundle.ask({ method: "GET", path: "/waits" })).toEqual({ status, text });
  } finally {
    await bundle.stop();
    removeFolder(folder);
  }
});
