import { describe, expect, it } from "vitest";
import data from "../../infra/generated/openapi.data.json" with { type: "json" };
import users from "../../infra/generated/openapi.users.json" with { type: "json" };
import { FIELD_DESCRIPTIONS } from "./field-descriptions.ts";
import { SCHEMA_DESCRIPTIONS } from "./schema-descriptions.ts";
import { isNode, type Node } from "./schemas.ts";

interface Told {
  readonly what: string;
  readonly description: unknown;
}

const documents: readonly Node[] = [data, users];
const nodesOf = (value: unknown): [string, Node][] =>
  Object.entries(Object(value)).filter((entry): entry is [string, Node] => isNode(entry[1]));

/** Returns what a document says of each schema, field and parameter. Of a reference that says nothing this is what its schema says. */
function toldOf(document: Node): Told[] {
  const { schemas } = Object(document.components);
  const saidOf = (form: Node): unknown => form.description ?? schemas[String(form.$ref).split("/").at(-1) ?? ""]?.description;
  const ofSchemas = nodesOf(schemas).flatMap(([name, schema]) => [
    { what: name, description: schema.description },
    ...nodesOf(schema.properties).map(([field, form]) => ({ what: `${name}.${field}`, description: saidOf(form) })),
  ]);
  const operations = nodesOf(document.paths).flatMap(([, item]) => nodesOf(item).map(([, operation]) => operation));
  const ofParameters = operations.flatMap(({ operationId, parameters }) =>
    nodesOf(parameters).map(([, { name, schema, description }]) => ({
      what: `${operationId}.${name}`,
      description: description ?? saidOf(Object(schema)),
    })),
  );
  return [...ofSchemas, ...ofParameters];
}

const told = documents.flatMap(toldOf);

describe("the OpenAPI documents", () => {
  it("say of every schema, field and parameter what it is", () => {
    expect(told.length).toBeGreaterThan(400);
    expect(told.filter(({ description }) => typeof description !== "string" || /^(?:Default: .*)?$/.test(description))).toEqual([]);
  });

  it("use every description", () => {
    const descriptions = told.map(({ description }) => String(description));
    const unused = (texts: Readonly<Record<string, string>>): string[] =>
      Object.entries(texts).flatMap(([key, text]) =>
        descriptions.some((said) => said === text || said.startsWith(`${text}. Default: `)) ? [] : [key],
      );
    expect([...unused(SCHEMA_DESCRIPTIONS), ...unused(FIELD_DESCRIPTIONS)]).toEqual([]);
  });
});
