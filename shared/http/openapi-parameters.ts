import type { JsonSchema } from "@valibot/to-json-schema";

/**
 * Returns the OpenAPI parameters of a schema, for the path or the query. Parameters of variants are merged into one list, and each names
 * the variants that accept it, since OpenAPI has no other way to express them.
 */
export function parameters(schema: JsonSchema, place: "path" | "query"): object[] {
  const variants = (schema.oneOf ?? [schema]).filter((variant) => typeof variant === "object");
  const names = new Set(variants.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...names].map((name) => {
    const takers = variants.filter(({ properties = {} }) => name in properties);
    const isAlike = variants.every((variant) => takers.includes(variant) && requires(variant, name) === requires(takers[0], name));
    return {
      name,
      in: place,
      required: place === "path" || (isAlike && requires(takers[0], name)),
      ...(isAlike ? {} : { description: takers.map((variant) => useOf(variant, name)).join("; ") }),
      schema: formOf(takers, name),
    };
  });
}

/** Returns the schema of a parameter. A discriminator accepts the value of each variant. */
function formOf(takers: readonly JsonSchema[], name: string): unknown {
  const forms = takers.map(({ properties = {} }) => properties[name]);
  const constants = forms.flatMap((form) => (typeof form === "object" && form.const !== undefined ? [form.const] : []));
  return constants.length > 1 ? { enum: constants } : forms[0];
}

function useOf(variant: JsonSchema, name: string): string {
  const constants = Object.values(variant.properties ?? {}).flatMap((form) =>
    typeof form === "object" && form.const !== undefined ? [String(form.const)] : [],
  );
  const form = variant.properties?.[name];
  const more = typeof form === "object" && form.description !== undefined ? ` (${form.description})` : "";
  return `${requires(variant, name) ? "Required" : "Optional"} for ${constants.join(", ")}${more}`;
}

function requires(variant: JsonSchema | undefined, name: string): boolean {
  return variant?.required?.includes(name) ?? false;
}
