import * as v from "valibot";
import { BigQueryError } from "../model.ts";
import { UNSUPPORTED } from "./unsupported.ts";

/** Parses client input. Throws `invalid` naming the first field that is wrong or unsupported. */
export function parseRequest<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = issue.path?.map((item) => String(item.key)).join(".") ?? "";
  if (issue.message === UNSUPPORTED) throw new BigQueryError("invalid", `${path} ${UNSUPPORTED}.`, path);
  const unknown = issue.type === "strict_object" && issue.expected === "never";
  const text = unknown
    ? `Unknown or unsupported field: ${path}`
    : `Invalid value for ${path === "" ? "the request" : path}: ${issue.message}`;
  throw new BigQueryError("invalid", text, path === "" ? undefined : path);
}
