import type { Implementation, Library } from "./signature.ts";

type Kind = "DATE" | "DATETIME" | "TIMESTAMP";

const KINDS: readonly Kind[] = ["DATE", "DATETIME", "TIMESTAMP"];

/**
 * Returns the functions of dates and times. Those that add, subtract, count or truncate take any of the three types, whatever their name
 * says: `DATE_TRUNC` of a TIMESTAMP is `TIMESTAMP_TRUNC`.
 */
export function anyTemporal(libraries: Readonly<Record<Kind, Library>>): Library {
  const all: Record<string, Implementation> = { ...libraries.DATE, ...libraries.DATETIME, ...libraries.TIMESTAMP };
  for (const verb of ["ADD", "SUB", "DIFF", "TRUNC"])
    for (const kind of KINDS)
      all[`${kind}_${verb}`] = (call, env) => {
        const node = call.args[0];
        const type = node && env.value(node).type;
        const actual = KINDS.find((one) => one === type) ?? kind;
        const implementation = libraries[actual][`${actual}_${verb}`];
        if (!implementation) throw new Error(`There is no ${actual}_${verb}`);
        return implementation(call, env);
      };
  return all;
}
