import type { Cursor } from "./cursor.ts";
import type { TablePath } from "./statement-ast.ts";

function dashedName(cursor: Cursor): string {
  const first = cursor.peek();
  let name = cursor.expectName();
  if (first.kind === "quoted-name") return name;
  // `my-project.d.t` needs no quotes; its dashes have no white space around them.
  while (cursor.isSymbol("-") && cursor.peek().at === cursor.end && cursor.peek(1).at === cursor.peek().end) {
    cursor.next();
    const part = cursor.next();
    if (part.kind !== "name" && part.kind !== "int") throw cursor.failAt(part, "Unexpected token in a table path");
    name += `-${part.text}`;
  }
  return name;
}

/** Parses the name of a table, view or dataset. Each part, or several together, may be in back quotes. */
export function parseTablePath(cursor: Cursor): TablePath {
  const { at, kind } = cursor.peek();
  const first = dashedName(cursor);
  const names = kind === "quoted-name" ? first.split(".") : [first];
  while (cursor.takeSymbol(".")) {
    const quoted = cursor.peek().kind === "quoted-name";
    const part = cursor.expectField();
    names.push(...(quoted ? part.split(".") : [part]));
  }
  if (names.some((name) => name === "")) throw cursor.failAt({ ...cursor.peek(), at }, "Invalid empty identifier");
  return { names, at };
}
