import { deserialize, serialize } from "node:v8";
import * as v from "valibot";

/** Any plain value, with its buffers and what is undefined in it, as a journal's value. */
export const toValue: (value: unknown) => Buffer = serialize;

/** The value again; throws when it is not of the schema's form. */
export function fromValue<Output>(schema: v.GenericSchema<unknown, Output>, bytes: Uint8Array): Output {
  return v.parse(schema, deserialize(bytes));
}
