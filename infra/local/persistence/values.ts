import { deserialize, serialize } from "node:v8";
import * as v from "valibot";

/** Serializes any plain value, including buffers and undefined. */
export const toValue: (value: unknown) => Buffer = serialize;

/** Deserializes a value. Throws if it does not match the schema. */
export function fromValue<Output>(schema: v.GenericSchema<unknown, Output>, bytes: Uint8Array): Output {
  return v.parse(schema, deserialize(bytes));
}
