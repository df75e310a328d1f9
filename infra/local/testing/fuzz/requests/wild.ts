import { METHODS } from "node:http";
import fc from "fast-check";
import type { Operation } from "../openapi.ts";
import { oddNames } from "./odd-values.ts";
import { encoded, headerText, lineText, type Sketch } from "./sketch.ts";

/** A tunnel is not something that one asks of an origin: Node closes the connection. */
const ASKABLE = METHODS.filter((method) => method !== "CONNECT");
const HEADER_NAMES = [
  ...[
    "accept",
    "accept-encoding",
    "authorization",
    "content-encoding",
    "content-type",
    "cookie",
    "expect",
    "forwarded",
    "if-match",
    "if-none-match",
  ],
  ...["idempotency-key", "origin", "range", "te", "traceparent", "x-api-key", "x-cloud-trace-context", "x-cloudscheduler-scheduletime"],
  ...["x-forwarded-for", "x-forwarded-host", "x-http-method-override", "x-original-url", "x-request-id", "ce-id", "ce-type"],
];
const HEADER_VALUES = [
  "",
  "*",
  "null",
  '"1"',
  "bytes=0-1",
  "gzip",
  "chunked",
  "deflate, br",
  "text/html",
  "f".repeat(64),
  "0".repeat(63),
  "trailers",
];
const TYPES = [
  ...[
    "application/json",
    "application/json; charset=utf-8",
    'Application/JSON;charset="UTF8"',
    "application/json; charset=utf-16",
    "application/json;",
  ],
  ...[
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/problem+json",
    "application/cloudevents+json",
  ],
  ...["", "json", "application/json, text/plain", "application/json; charset=", 'application/json; x="a;b"'],
];

/** Anything that can be sent at all, near the paths that there are: any method, path, query, headers and body. */
export function wildRequests(operations: readonly Operation[]): fc.Arbitrary<Sketch> {
  const ids = ["~map.0~", "~job.0~", "~uid~", "x", ".", "..", "%", "%zz", "%00", "%2F", "%c0%ae", "constructor"];
  const paths = fc
    .tuple(fc.constantFrom(...operations), fc.array(fc.constantFrom(...ids), { minLength: 2, maxLength: 2 }))
    .map(([{ path }, fill]) => path.replaceAll(/\{\w+\}/g, () => fill[0] ?? ""));
  const targets = fc.oneof(
    { arbitrary: paths, weight: 6 },
    {
      arbitrary: fc
        .tuple(paths, fc.constantFrom("/", "//", "/..", "/.", "%2f", "%00", ";x=1", "#x", "\\", "%", "*", ".json"))
        .map((parts) => parts.join("")),
      weight: 2,
    },
    {
      arbitrary: fc.tuple(fc.constantFrom("/.", "/x/..", "/%2e%2e", "/", "//host", "/http://host"), paths).map((parts) => parts.join("")),
      weight: 1,
    },
    { arbitrary: fc.string({ unit: "binary", maxLength: 60 }).map((text) => `/${lineText(text)}`), weight: 1 },
    {
      arbitrary: fc.constantFrom(
        "*",
        "http://host/x",
        "http://host:1/admin/maps",
        "/".repeat(500),
        `/${"x".repeat(6000)}`,
        "/?",
        "/??",
        "/\xff\xfe",
      ),
      weight: 1,
    },
  );
  const queries = fc.oneof(
    { arbitrary: fc.constant(""), weight: 3 },
    { arbitrary: fc.array(fc.tuple(oddNames, fc.string({ unit: "binary" })), { maxLength: 4 }).map(queryOf), weight: 2 },
    { arbitrary: fc.string({ unit: "binary", maxLength: 60 }).map((text) => `?${lineText(text)}`), weight: 1 },
    {
      arbitrary: fc.constantFrom(
        "?&&&",
        "?=",
        "?%",
        "?a=%zz",
        "?limit[]=1",
        "?limit[x]=1",
        "?__proto__[x]=1",
        "?full=true&full=true",
        `?${"a=1&".repeat(1500)}`,
      ),
      weight: 1,
    },
  );
  return fc
    .record({
      api: fc.constantFrom("users" as const, "data" as const),
      asked: fc.option(fc.constantFrom(...operations.map(({ operationId }) => operationId)), { freq: 5, nil: undefined }),
      method: fc.oneof({ arbitrary: fc.constantFrom("GET", "POST", "PUT", "DELETE"), weight: 3 }, fc.constantFrom(...ASKABLE)),
      target: fc.tuple(targets, queries).map(([target, query]) => target + query),
      withKey: fc.oneof({ arbitrary: fc.constant(true), weight: 5 }, fc.constant(false)),
      headers: fc.array(headers, { maxLength: 4 }),
      type: fc.oneof({ arbitrary: fc.constant("application/json"), weight: 2 }, fc.constantFrom(...TYPES)),
      content: bodies,
    })
    .map(({ asked, type, content, headers: others, ...line }) => {
      const body = ["GET", "HEAD", "TRACE"].includes(line.method) && content.body.length < 100 ? undefined : content.body;
      return {
        kind: "wild",
        functionName: asked,
        ...line,
        headers: body === undefined ? others : [["content-type", type], ...others],
        body,
        encoding: content.encoding,
      };
    });
}

const headers = fc.tuple(
  fc.oneof(
    { arbitrary: fc.constantFrom(...HEADER_NAMES), weight: 3 },
    fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/).map((name) => `x-${name}`),
  ),
  fc.oneof(
    fc.constantFrom(...HEADER_VALUES),
    fc.string({ unit: "binary" }).map(headerText),
    fc.constantFrom(3000, 20_000).map((length) => "h".repeat(length)),
  ),
);

function queryOf(pairs: readonly (readonly [string, string])[]): string {
  return `?${pairs.map((pair) => pair.map((part) => encoded(part).slice(0, 1500)).join("=")).join("&")}`;
}

type Content = Pick<Sketch, "encoding"> & { readonly body: string };
const utf8 = (body: string): Content => ({ body, encoding: "utf8" });
const json = fc.json({ maxDepth: 4, stringUnit: "binary" });

/** Bodies: any JSON, JSON that is broken somewhere, too deep, too long, with a name twice, or no text at all. */
const bodies: fc.Arbitrary<Content> = fc.oneof(
  { arbitrary: json.map(utf8), weight: 3 },
  {
    arbitrary: fc
      .record({ name: oddNames, value: fc.jsonValue() })
      .map(({ name, value }) => utf8(JSON.stringify(Object.fromEntries([[name, value]])))),
    weight: 2,
  },
  { arbitrary: fc.tuple(json, fc.nat()).map(([text, at]) => utf8(text.slice(0, at % (text.length + 1)))), weight: 2 },
  {
    arbitrary: fc
      .tuple(json, fc.nat(), fc.string({ unit: "binary", maxLength: 3 }))
      .map(([text, at, other]) => utf8(spliced(text, at, other))),
    weight: 2,
  },
  {
    arbitrary: fc
      .tuple(fc.string(), json, json)
      .map(([name, one, other]) => utf8(`{${JSON.stringify(name)}:${one},${JSON.stringify(name)}:${other}}`)),
    weight: 1,
  },
  {
    arbitrary: fc
      .tuple(fc.constantFrom("[", '{"a":', "[[", '{"__proto__":'), fc.constantFrom(20, 33, 1000, 100_000))
      .map(([open, depth]) => utf8(open.repeat(depth))),
    weight: 1,
  },
  {
    arbitrary: fc
      .uint8Array({ maxLength: 60 })
      .map((bytes) => ({ body: Buffer.from(bytes).toString("latin1"), encoding: "latin1" as const })),
    weight: 1,
  },
  {
    arbitrary: fc
      .constantFrom(
        "",
        " ",
        "\ufeff{}",
        "null",
        "0",
        '""',
        "[]",
        "{}",
        "{}{}",
        "{'a':1}",
        "{a:1}",
        "NaN",
        '{"a":01}',
        '{"a":1e999}',
        "\ud800",
        '{"a":"\t"}',
      )
      .map(utf8),
    weight: 2,
  },
  { arbitrary: fc.constantFrom(1_048_576, 1_048_577, 1_500_000).map((length) => utf8(`{"a":1}${" ".repeat(length - 7)}`)), weight: 1 },
);

function spliced(text: string, at: number, other: string): string {
  const cut = at % (text.length + 1);
  return text.slice(0, cut) + other + text.slice(cut + 1);
}
