import { describe, expect, it } from "vitest";
import { matchPath, readQuery } from "./http-request.ts";

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
  it("holds one value as text and several as an array", () => {
    expect({ ...readQuery(new URLSearchParams("a=1&b=2&b=3")) }).toEqual({ a: "1", b: ["2", "3"] });
  });

  it("with the name of a prototype's member holds it as its own", () => {
    const query = readQuery(new URLSearchParams("__proto__=x&constructor=y"));
    expect(Object.keys(query)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(query)).toBeNull();
  });
});
