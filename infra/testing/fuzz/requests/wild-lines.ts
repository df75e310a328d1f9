import { METHODS } from "node:http";
import fc from "fast-check";
import { oddNames } from "./odd-values.ts";
import { encoded, headerText, lineText } from "./sketch.ts";

const IDS = ["~map.0~", "~job.0~", "~uid~", "x", ".", "..", "%", "%zz", "%00", "%2F", "%c0%ae", "constructor"];
const ENDINGS = ["/", "//", "/..", "/.", "%2f", "%00", ";x=1", "#x", "\\", "%", "*", ".json"];
const BEGINNINGS = ["/.", "/x/..", "/%2e%2e", "/", "//host", "/http://host"];
const ODD_TARGETS = ["*", "http://host/x", "http://host:1/admin/maps", "/".repeat(500), `/${"x".repeat(6000)}`, "/?", "/??"];
const ODD_QUERIES = [
  "?&&&",
  "?=",
  "?%",
  "?a=%zz",
  "?limit[]=1",
  "?limit[x]=1",
  "?__proto__[x]=1",
  "?full=true&full=true",
  `?${"a=1&".repeat(1500)}`,
];
const HEADER_NAMES =
  `accept accept-encoding authorization content-encoding cookie expect forwarded if-match if-none-match idempotency-key origin
  range te traceparent x-api-key x-cloud-trace-context x-cloudscheduler-scheduletime x-forwarded-for x-forwarded-host x-http-method-override
  x-original-url x-request-id ce-id ce-type access-control-request-method`.split(/\s+/);
const HEADER_VALUES = [
  "",
  "*",
  "null",
  '"1"',
  "bytes=0-1",
  "gzip",
  "chunked",
  "http://a.example",
  "POST",
  "f".repeat(64),
  "0".repeat(63),
  "trailers",
];
const TYPES =
  `application/json;charset=utf-8 Application/JSON;charset="UTF8" application/json;charset=utf-16 application/json; text/plain json
  application/x-www-form-urlencoded multipart/form-data;boundary=x application/problem+json application/cloudevents+json application/json,text/plain
  application/json;charset= application/json;x="a;b"`.split(/\s+/);

/** Any method except CONNECT, which no origin server answers. */
export const methods = fc.oneof(
  fc.constantFrom("GET", "POST", "PUT", "DELETE"),
  fc.constantFrom(...METHODS.filter((method) => method !== "CONNECT")),
);

/** Content types, mostly the right one. */
export const types = fc.oneof({ arbitrary: fc.constant("application/json"), weight: 2 }, fc.constantFrom("", ...TYPES));

/** Draws paths near an existing one, with its parameters filled at random, and sometimes far from it. */
export function targetsNear(template: string): fc.Arbitrary<string> {
  const filled = fc.constantFrom(...IDS).map((id) => template.replaceAll(/\{\w+\}/g, () => id));
  return fc.oneof(
    { arbitrary: filled, weight: 6 },
    { arbitrary: fc.tuple(filled, fc.constantFrom(...ENDINGS)).map((parts) => parts.join("")), weight: 2 },
    { arbitrary: fc.tuple(fc.constantFrom(...BEGINNINGS), filled).map((parts) => parts.join("")), weight: 1 },
    { arbitrary: fc.string({ unit: "binary", maxLength: 60 }).map((text) => `/${lineText(text)}`), weight: 1 },
    { arbitrary: fc.constantFrom(...ODD_TARGETS), weight: 1 },
  );
}

const pairs = fc.array(fc.tuple(oddNames, fc.string({ unit: "binary" })), { maxLength: 4 });

/** Draws queries with any names, or none. */
export const queries: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constant(""), weight: 4 },
  {
    arbitrary: pairs.map((list) => `?${list.map((pair) => pair.map((part) => encoded(part).slice(0, 1000)).join("=")).join("&")}`),
    weight: 1,
  },
  { arbitrary: fc.string({ unit: "binary", maxLength: 60 }).map((text) => `?${lineText(text)}`), weight: 1 },
  { arbitrary: fc.constantFrom(...ODD_QUERIES), weight: 1 },
);

/** Draws headers that the service reads, with unexpected values, and others. Some are longer than Node accepts. */
export const headers: fc.Arbitrary<[string, string]> = fc.tuple(
  fc.oneof(
    { arbitrary: fc.constantFrom(...HEADER_NAMES), weight: 3 },
    fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/).map((name) => `x-${name}`),
  ),
  fc.oneof(
    { arbitrary: fc.constantFrom(...HEADER_VALUES), weight: 12 },
    { arbitrary: fc.string({ unit: "binary" }).map(headerText), weight: 6 },
    fc.constantFrom(300, 3000, 3000, 20_000).map((length) => "h".repeat(length)),
  ),
);
