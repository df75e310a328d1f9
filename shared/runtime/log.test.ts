import { describe, expect, it } from "vitest";
import { createLog, describeError, traceFields } from "./log.ts";

describe("a log line", () => {
  it("is one line of JSON with the severity that Cloud Logging reads", () => {
    const lines: string[] = [];
    createLog((line) => lines.push(line), { function: "f" })("WARNING", "two\nlines", { uid: "u" });
    expect(lines).toEqual(['{"severity":"WARNING","message":"two\\nlines","function":"f","uid":"u"}\n']);
  });

  it("describes an error with its causes", () => {
    expect(describeError(new Error("outer", { cause: new Error("inner") }))).toMatchObject({ fault: "outer", cause: { fault: "inner" } });
    expect(describeError("text")).toEqual({ fault: "text" });
  });

  const id = "0af7651916cd43dd8448eb211c80319c";
  it.each([
    [`00-${id}-b7ad6b7169203331-01`, undefined],
    [undefined, `${id}/123;o=1`],
    [undefined, id],
  ])("belongs to the trace of traceparent %s or cloud trace %s", (traceparent, cloudTrace) => {
    expect(traceFields("p", traceparent, cloudTrace)).toEqual({ "logging.googleapis.com/trace": `projects/p/traces/${id}` });
  });

  it("has no trace if the header is malformed", () => {
    expect(traceFields("p", "junk", `${id}x`)).toEqual({});
  });
});
