import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { DeploymentVariables } from "../../shared/runtime/config.ts";

const Described = v.object({
  properties: v.record(v.string(), v.object({ pattern: v.optional(v.string()), enum: v.optional(v.array(v.string())) })),
});

/** The environment variables that a deployment sets: by name the pattern of its values, null if the code accepts any text. */
export function environmentVariables(): Record<string, string | null> {
  const { properties } = v.parse(Described, toJsonSchema(DeploymentVariables, { typeMode: "input", errorMode: "ignore" }));
  return Object.fromEntries(
    Object.entries(properties).map(([name, { pattern, enum: values }]) => [name, pattern ?? (values ? `^(${values.join("|")})$` : null)]),
  );
}
