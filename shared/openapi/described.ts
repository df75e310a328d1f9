import { FIELD_DESCRIPTIONS } from "./field-descriptions.ts";
import { SCHEMA_DESCRIPTIONS } from "./schema-descriptions.ts";
import { isNode, type Node } from "./schemas.ts";

type Schemas = Readonly<Record<string, Node>>;

/** What a body says of a member that has a default, if it says nothing else: `withDefaultsInWords`. */
const DEFAULT_ALONE = /^Default: /;

/** Returns the named schemas, in which each schema and field without a description has the one of `schema-descriptions.ts` or `field-descriptions.ts`. */
export function describedSchemas(schemas: Schemas): Record<string, Node> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const whole = described(schema, SCHEMA_DESCRIPTIONS[name]);
      return [name, isNode(whole.properties) ? { ...whole, properties: describedFields(name, whole.properties, schemas) } : whole];
    }),
  );
}

/**
 * Returns an operation, in which each parameter has a description.
 * @param schemas those of the document, as they describe themselves
 */
export function describedOperation(operation: Node, schemas: Schemas): Node {
  const { parameters = [] } = operation;
  const each = [parameters].flat().map((parameter) => {
    if (!isNode(parameter) || !isNode(parameter.schema)) return parameter;
    const text = descriptionOf(String(operation.operationId), String(parameter.name), parameter.schema, schemas);
    const { name, in: place, ...rest } = parameter;
    return { name, in: place, ...described(rest, text) };
  });
  return { ...operation, parameters: each };
}

function describedFields(of: string, fields: Node, schemas: Schemas): Node {
  return Object.fromEntries(
    Object.entries(fields).map(([name, form]) => [name, isNode(form) ? described(form, descriptionOf(of, name, form, schemas)) : form]),
  );
}

/** Returns the description of a field or parameter. A schema that describes itself says more than a word that is the same everywhere. */
function descriptionOf(of: string, name: string, form: Node, schemas: Schemas): string | undefined {
  const referred = schemas[String(form.$ref).split("/").at(-1) ?? ""];
  return FIELD_DESCRIPTIONS[`${of}.${name}`] ?? (referred?.description === undefined ? FIELD_DESCRIPTIONS[name] : undefined);
}

function described(node: Node, text: string | undefined): Node {
  const { description: said, ...rest } = node;
  if (text === undefined || (typeof said === "string" && !DEFAULT_ALONE.test(said))) return node;
  return { ...rest, description: typeof said === "string" ? `${text}. ${said}` : text };
}
