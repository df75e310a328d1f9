import type { JsonSchema } from "@valibot/to-json-schema";

/**
 * The parameters of a schema in one place of a request. Those of a variant stand in one list, each with the variants that take it: OpenAPI
 * has no other form for them.
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

/** The form of a parameter: one that tells variants apart may have the value of each. */
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
