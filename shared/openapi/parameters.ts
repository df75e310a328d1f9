import { type Components, isNode, type Node, withDefaultsInWords } from "./schemas.ts";

/**
 * Returns the OpenAPI parameters of a schema, for the path or the query. Parameters of variants are merged into one list, and each names
 * the variants that accept it, since OpenAPI has no other way to express them.
 */
export function parameters(schema: Node, place: "path" | "query", example: Node, refer: Components["refer"]): Node[] {
  const variants = (Array.isArray(schema.oneOf) ? schema.oneOf : [schema]).filter(isNode);
  const names = new Set(variants.flatMap((variant) => Object.keys(propertiesOf(variant))));
  return [...names].map((name) => {
    const takers = variants.filter((variant) => name in propertiesOf(variant));
    const isAlike = variants.every((variant) => takers.includes(variant) && requires(variant, name) === requires(takers[0], name));
    const common = formOf(takers, name);
    // Some clients send every default, which a variant without the parameter refuses.
    const { description, ...form } = refer(isAlike ? common : withDefaultsInWords(common));
    const about = isAlike ? description : takers.map((variant) => useOf(variant, name)).join("; ");
    return {
      name,
      in: place,
      required: place === "path" || (isAlike && requires(takers[0], name)),
      ...(about === undefined ? {} : { description: about }),
      ...(form.deprecated === true ? { deprecated: true } : {}),
      schema: form,
      ...(name in example ? { example: example[name] } : {}),
    };
  });
}

/** Returns the schema of a parameter. A discriminator accepts the value of each variant. */
function formOf(takers: readonly Node[], name: string): Node {
  const forms = takers.map((taker) => propertiesOf(taker)[name]).filter(isNode);
  const constants = forms.flatMap((form) => (form.const === undefined ? [] : [form.const]));
  return constants.length > 1 ? { type: "string", enum: constants } : (forms[0] ?? {});
}

function useOf(variant: Node, name: string): string {
  const properties = propertiesOf(variant);
  const constants = Object.values(properties).flatMap((form) => (isNode(form) && form.const !== undefined ? [String(form.const)] : []));
  const form = properties[name];
  const { description } = isNode(form) ? withDefaultsInWords(form) : {};
  const more = description === undefined ? "" : ` (${description})`;
  return `${requires(variant, name) ? "Required" : "Optional"} for ${constants.join(", ")}${more}`;
}

function propertiesOf({ properties }: Node): Node {
  return isNode(properties) ? properties : {};
}

function requires(variant: Node | undefined, name: string): boolean {
  return Array.isArray(variant?.required) && variant.required.includes(name);
}
