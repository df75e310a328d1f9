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
    const about = isAlike ? description : takers.map((variant) => useOf(variant, name, common)).join("; ");
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

/** Returns the schema of a parameter: what any of its variants takes. Throws for texts and numbers in one parameter. */
function formOf(takers: readonly Node[], name: string): Node {
  const forms = takers.map((taker) => propertiesOf(taker)[name]).filter(isNode);
  const constants = forms.flatMap((form) => (form.const === undefined ? [] : [form.const]));
  if (constants.length > 1) return { type: "string", enum: constants };
  const [first = {}, ...others] = forms;
  if (others.every((other) => rulesOf(other) === rulesOf(first))) return first;
  if (forms.some(({ type }) => type !== "string")) throw new Error(`${name} has no form that all its variants share`);
  const values = forms.flatMap(valuesOf);
  const wide = forms.filter((form) => valuesOf(form).length === 0);
  // One that lists what the others take stands for all of them.
  const widest = wide.length === 0 && forms.find((form) => values.every((value) => valuesOf(form).includes(value)));
  if (widest) return widest;
  // A choice between a list and a pattern is more than generators can send in a query.
  const pattern = wide.length === 1 ? wide[0]?.pattern : undefined;
  const takesAll = typeof pattern === "string" && values.every((value) => new RegExp(pattern).test(String(value)));
  return { type: "string", ...(takesAll ? { pattern } : {}) };
}

/** Returns what a form allows, as a text, without what is said of it. */
function rulesOf({ description: _description, default: _default, examples: _examples, ...rules }: Node): string {
  return JSON.stringify(rules);
}

function valuesOf({ enum: values, const: constant }: Node): unknown[] {
  return [values ?? constant ?? []].flat();
}

/** Returns for which variant a parameter is, and what that one says of it. `common` is the form of all variants. */
function useOf(variant: Node, name: string, common: Node): string {
  const properties = propertiesOf(variant);
  const constants = Object.values(properties).flatMap((form) => (isNode(form) && form.const !== undefined ? [String(form.const)] : []));
  const form = properties[name];
  const { description: said } = isNode(form) ? withDefaultsInWords(form) : {};
  const values = isNode(form) && valuesOf(common).length === 0 ? valuesOf(form) : [];
  const description = [values.length > 0 ? `one of ${values.join(", ")}` : [], said ?? []].flat().join(". ") || undefined;
  const more = description === undefined ? "" : ` (${description})`;
  return `${requires(variant, name) ? "Required" : "Optional"} for ${constants.join(", ")}${more}`;
}

function propertiesOf({ properties }: Node): Node {
  return isNode(properties) ? properties : {};
}

function requires(variant: Node | undefined, name: string): boolean {
  return Array.isArray(variant?.required) && variant.required.includes(name);
}
