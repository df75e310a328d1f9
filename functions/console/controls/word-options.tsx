import type { JSX } from "preact";
import { textOr } from "../texts.ts";

/** The options of a select: the API's values, shown by the texts `{prefix}.{value}`, or as they are where there is none. */
export function WordOptions({ values, prefix }: { readonly values: readonly string[]; readonly prefix: string }): JSX.Element {
  return (
    <>
      {values.map((value) => (
        <option key={value} value={value}>
          {textOr(`${prefix}.${value}`, value)}
        </option>
      ))}
    </>
  );
}
