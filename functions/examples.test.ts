import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { noInput } from "../shared/http/define-endpoint.ts";
import type { Schema } from "../shared/http/schema.ts";
import type { Example } from "../shared/openapi/operation.ts";
import { catalogue } from "./catalogue.ts";
import { examples } from "./examples.ts";

/** Returns what is wrong with a value, one line per fault. */
function faults(schema: Schema, value: unknown): string[] {
  return (v.safeParse(schema, value).issues ?? []).map((issue) => `${v.getDotPath(issue) ?? ""}: ${issue.message}`);
}

const Stepped = v.object({ meta: v.object({ step: v.number() }) });
const COUNT = /^(?:people|trips|(?:sum|max)_unique_people|values)$/;

/** Returns the counts of people in an answer. */
function countsIn(value: unknown, isCount = false): number[] {
  if (typeof value === "number") return isCount ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => countsIn(one, isCount));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => countsIn(one, COUNT.test(name)));
}

/** A query as it arrives: texts. */
function asQuery(query: NonNullable<Example["query"]>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
}

it("there are examples of every endpoint, and of nothing else", () => {
  expect(Object.keys(examples).sort()).toEqual(catalogue.map(({ name }) => name).sort());
});

describe.each(catalogue.map((endpoint) => [endpoint.name, endpoint] as const))("the examples of %s", (name, endpoint) => {
  const { path, query, bodies = {}, responses } = examples[name] ?? { responses: {} };

  it("are requests that the service accepts", () => {
    expect(faults(endpoint.params, path)).toEqual([]);
    if (query) expect(faults(endpoint.query, asQuery(query))).toEqual([]);
    for (const body of Object.values(bodies)) expect(faults(endpoint.body, body)).toEqual([]);
  });

  it("have a body if the endpoint takes one", () => {
    expect(Object.keys(bodies).length > 0).toBe(endpoint.body !== noInput);
  });

  it("are an answer for each status of a success, as the service sends them", () => {
    expect(Object.keys(responses)).toEqual(Object.keys(endpoint.responses));
    for (const [status, answers] of Object.entries(responses)) {
      expect(Object.keys(answers).length).toBeGreaterThan(0);
      for (const answer of Object.values(answers)) expect(faults(endpoint.responses[Number(status)] ?? v.never(), answer)).toEqual([]);
    }
  });

  it("count people in the steps that they name", () => {
    for (const answer of Object.values(responses).flatMap((answers) => Object.values(answers))) {
      const stepped = v.safeParse(Stepped, answer);
      if (!stepped.success) continue;
      expect(countsIn(answer).filter((count) => count % stepped.output.meta.step !== 0)).toEqual([]);
    }
  });
});
