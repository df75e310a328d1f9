import { createServer, get } from "node:http";
import { describe, expect, it } from "vitest";
import { matchPath, readQuery, takeOverRequests } from "./http-request.ts";

/** The ports of this test's servers. The process serves other tests, too. */
const ports = new Set<number | undefined>();

/** The path that a handler sees for the target of a request line. */
async function seenPath(target: string): Promise<string> {
  const server = createServer((request, response) => response.end(request.url));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  ports.add(port);
  try {
    return await new Promise((resolve, reject) => {
      const asked = get({ port, host: "127.0.0.1", path: target, agent: false }, async (response) => {
        resolve(Buffer.concat(await response.toArray()).toString());
      });
      asked.on("error", reject);
    });
  } finally {
    server.close();
    // A later test of this process may get the port.
    ports.delete(port);
  }
}

describe("a request line that the framework would mishandle", () => {
  takeOverRequests(({ socket }) => ports.has(socket.localPort));

  it.each([
    ["*", "/*"],
    ["http://host/x?a=1", "/x?a=1"],
    ["HTTPS://host:1", "/"],
    ["//[", "//["],
    ["http://[/x", "/http://[/x"],
    ["/data-agg/status/%zz?a=%zz", "/data-agg/status/%25zz?a=%zz"],
    ["/data-agg?a=1", "/data-agg?a=1"],
  ])("with the target %s has the path %s", async (target, path) => {
    expect(await seenPath(target)).toBe(path);
  });
});

describe("a path template", () => {
  it.each([
    ["/data-agg", "/data-agg", {}],
    ["/data-agg/status/{job_id}", "/data-agg/status/a%20b", { job_id: "a b" }],
    ["/x/{id}", "/x/%", { id: "%" }],
    ["/x/{id}", "/x/..%2F..", { id: "../.." }],
  ])("%s matches %s", (template, path, params) => {
    expect(matchPath(template, path)).toEqual(params);
  });

  it.each([
    ["/data-agg", "/data-agg/"],
    ["/data-agg/status/{job_id}", "/data-agg/status/"],
    ["/data-agg/status/{job_id}", "/data-agg/status/a/b"],
    ["/data-agg", "/DATA-AGG"],
  ])("%s does not match %s", (template, path) => {
    expect(matchPath(template, path)).toBeUndefined();
  });
});

describe("a query", () => {
  it("has one value as a string and several as an array", () => {
    expect({ ...readQuery(new URLSearchParams("a=1&b=2&b=3")) }).toEqual({ a: "1", b: ["2", "3"] });
  });

  it("has a parameter named like a prototype member as its own", () => {
    const query = readQuery(new URLSearchParams("__proto__=x&constructor=y"));
    expect(Object.keys(query)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(query)).toBeNull();
  });
});
