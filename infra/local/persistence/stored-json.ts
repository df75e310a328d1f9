import * as v from "valibot";
import { damaged } from "./faults.ts";

/** Returns what a JSON file of the data folder holds. Throws the one-line error of a damaged file, which names it. */
export function storedJson<const Schema extends v.GenericSchema>(path: string, text: string, schema: Schema): v.InferOutput<Schema> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  if (!parsed.success) throw damaged(path, text === "" ? "it is empty" : "it is not what this service writes");
  return parsed.output;
}
