import { describe, expect, it } from "vitest";
import { entrySpan } from "../tracing/span.ts";
import { createLog, describeError } from "./log.ts";

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

  it("belongs to the trace of its work", async () => {
    const lines: string[] = [];
    const log = createLog((line) => lines.push(line));
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    await entrySpan("p", { traceId, spanId: "b7ad6b7169203331" }, { name: "f", kind: "server" }, async () => log("INFO", "inside"));
    log("INFO", "outside");
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      {
        severity: "INFO",
        message: "inside",
        "logging.googleapis.com/trace": `projects/p/traces/${traceId}`,
        "logging.googleapis.com/spanId": expect.stringMatching(/^[0-9a-f]{16}$/),
      },
      { severity: "INFO", message: "outside" },
    ]);
  });
});
