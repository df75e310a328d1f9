import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { Api, apiFaults } from "./api-faults.ts";

interface Given {
  readonly parameters?: readonly object[];
  readonly body?: object;
  readonly answer?: object;
}

const apiOf = ({ parameters = [], body, answer = { type: "string" } }: Given): Api =>
  v.parse(Api, {
    paths: {
      "/maps": {
        post: {
          parameters,
          ...(body ? { requestBody: { required: true, content: { "application/json": { schema: body } } } } : {}),
          responses: { "200": { content: { "application/json": { schema: answer } } }, "401": { $ref: "#/components/responses/401" } },
        },
      },
    },
    components: {
      schemas: { Tree: { type: "object", properties: { parts: { type: "array", items: { $ref: "#/components/schemas/Tree" } } } } },
    },
  });
const faults = (before: Given, now: Given) => apiFaults(apiOf(before), apiOf(now));
const text = { type: "string" };
const limit = (more: object = {}) => ({ name: "limit", in: "query", schema: { type: "integer", maximum: 100, ...more } });
const object = (properties: object, required: readonly string[] = []) => ({ type: "object", properties, required });

describe("a client of the last release goes on working if", () => {
  it("operations stay", () => {
    expect(apiFaults(apiOf({}), { paths: {}, components: { schemas: {} } })).toEqual(["POST /maps: is removed"]);
    expect(apiFaults({ paths: {}, components: { schemas: {} } }, apiOf({}))).toEqual([]);
  });

  it("parameters stay and take what they took, and no new one is required", () => {
    const other = { name: "fields", in: "query", schema: text };
    expect(faults({ parameters: [limit()] }, { parameters: [limit({ maximum: 200 }), other] })).toEqual([]);
    expect(faults({ parameters: [limit()] }, { parameters: [] })).toEqual(["POST /maps: the query parameter limit is not taken any more"]);
    expect(faults({}, { parameters: [{ ...other, required: true }] })).toEqual(["POST /maps: the query parameter fields is required now"]);
    expect(faults({ parameters: [other] }, { parameters: [{ ...other, required: true }] })).toEqual([
      "POST /maps: the query parameter fields is required now",
    ]);
    expect(faults({ parameters: [limit()] }, { parameters: [limit({ maximum: 50 })] })).toEqual([
      "POST /maps: query parameter limit: has narrower bounds now",
    ]);
  });

  it("a parameter takes a boolean instead of a choice of a boolean and its text, which are sent alike; a body has to go on taking both", () => {
    const [boolean, choice] = [{ type: "boolean" }, { oneOf: [{ type: "boolean" }, { type: "string", enum: ["true", "false"] }] }];
    const full = (schema: object) => ({ parameters: [{ name: "full", in: "query", schema }] });
    expect(faults(full(choice), full(boolean))).toEqual([]);
    expect(faults(full({ oneOf: [boolean, { enum: ["true", "all"] }] }), full(boolean))).not.toEqual([]);
    expect(faults({ body: object({ full: choice }) }, { body: object({ full: boolean }) })).not.toEqual([]);
  });

  it("members of bodies stay optional, and take the values they took", () => {
    const body = object({ name: text, kind: { enum: ["a", "b"] } }, ["name"]);
    const wider = object({ name: text, kind: { enum: ["a", "b", "c"] }, more: text });
    expect(faults({ body }, { body: wider })).toEqual([]);
    expect(faults({ body: wider }, { body })).toEqual([
      "POST /maps: body/name: is required now",
      'POST /maps: body/kind: "c" is not taken any more',
      "POST /maps: body/more: is not taken any more",
    ]);
    expect(faults({ body }, { body: object({ name: { type: "integer" }, kind: {} }) })).toEqual([
      "POST /maps: body/name: is string on one side and integer on the other",
    ]);
    expect(faults({}, { body })).toEqual(["POST /maps: a body is required now"]);
    expect(faults({ body }, {})).toEqual(["POST /maps: a body is not taken any more"]);
  });

  it("each alternative of a body is taken by one", () => {
    const [one, other] = [object({ wkt: text }, ["wkt"]), object({ ids: { type: "array", items: text } }, ["ids"])];
    expect(faults({ body: one }, { body: { anyOf: [other, one] } })).toEqual([]);
    expect(faults({ body: { oneOf: [one, other] } }, { body: { oneOf: [one, object({ id: text }, ["id"])] } })).toEqual([
      "POST /maps: body: the alternative 2 is not taken any more",
    ]);
  });

  it("members of answers stay, of the same type, and are there whenever they were", () => {
    const answer = object({ id: text, size: { type: "number" } }, ["id"]);
    const more = object({ id: text, size: { type: "integer" }, extra: text }, ["id", "size", "extra"]);
    expect(faults({ answer }, { answer: more })).toEqual([]);
    expect(faults({ answer: more }, { answer })).toEqual([
      "POST /maps: answer 200/size: may be absent now",
      "POST /maps: answer 200/extra: may be absent now",
      "POST /maps: answer 200/size: is number on one side and integer on the other",
      "POST /maps: answer 200/extra: is not answered any more",
    ]);
    expect(faults({ answer: { anyOf: [text, { type: "null" }] } }, { answer: text })).toEqual([
      "POST /maps: answer 200: the alternative 2 is not answered any more",
    ]);
    const product = (name: string) => object({ agg_type: { const: name } }, ["agg_type"]);
    expect(faults({ answer: product("odm") }, { answer: { anyOf: [product("flow"), product("odm")] } })).toEqual([]);
  });

  it("a list of several kinds of rows becomes an alternative for each kind, of which none is missing", () => {
    const list = (items: object) => object({ rows: { type: "array", items } }, ["rows"]);
    const [pair, link] = [object({ trips: text }, ["trips"]), object({ people: text }, ["people"])];
    const answer = { oneOf: [list({ oneOf: [pair, link] }), text] };
    expect(faults({ answer }, { answer: { oneOf: [list(pair), list(link), text] } })).toEqual([]);
    expect(faults({ answer }, { answer: { oneOf: [list(pair), text] } })).toEqual([
      "POST /maps: answer 200: the alternative 1 is not answered any more",
    ]);
  });

  it("it compares schemas that contain themselves", () => {
    const answer = { $ref: "#/components/schemas/Tree" };
    expect(faults({ answer }, { answer })).toEqual([]);
  });
});
