import { expect, it } from "vitest";
import { formatTraceparent, newContext, parseCloudTrace, parseTraceparent } from "./trace-context.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";

it.each([`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-00`, `01-${traceId}-${spanId}-01-later`])("reads %s", (text) => {
  expect(parseTraceparent(text)).toEqual({ traceId, spanId });
});

it.each([
  undefined,
  "",
  "junk",
  traceId,
  `00-${traceId}-${spanId}`,
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId}-${spanId}-01-later`,
  `00-${"0".repeat(32)}-${spanId}-01`,
  `00-${traceId}-${"0".repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
])("is no place in a trace: %s", (text) => {
  expect(parseTraceparent(text)).toBeUndefined();
});

it("reads Google's header, whose span is decimal", () => {
  expect(parseCloudTrace(`${traceId}/${BigInt(`0x${spanId}`)};o=1`)).toEqual({ traceId, spanId });
  expect(parseCloudTrace(`${traceId}/1`)).toEqual({ traceId, spanId: "0000000000000001" });
  for (const text of [undefined, traceId, `${traceId}/0`, `${traceId}/${2n ** 64n}`, `${traceId}x/1`])
    expect(parseCloudTrace(text)).toBeUndefined();
});

it("a new place is in its parent's trace, or in a new one, and can be read again", () => {
  const child = newContext({ traceId, spanId });
  expect(child.traceId).toBe(traceId);
  expect(child.spanId).not.toBe(spanId);
  const root = newContext(undefined);
  expect(root.traceId).not.toBe(traceId);
  expect(parseTraceparent(formatTraceparent(root))).toEqual(root);
});
