import type { TypeName } from "./ast.ts";
import type { Cursor } from "./cursor.ts";

function field(cursor: Cursor): { name: string | undefined; type: TypeName } {
  const second = cursor.peek(1);
  const named = cursor.isName() && (second.kind === "name" || second.kind === "quoted-name");
  const name = named ? cursor.expectName() : undefined;
  return { name, type: parseTypeName(cursor) };
}

/** Parses a type, for example `ARRAY<STRUCT<a INT64, b STRING>>`. Parameters such as STRING(10) are rejected. */
export function parseTypeName(cursor: Cursor): TypeName {
  const { at } = cursor.peek();
  if (cursor.takeWord("ARRAY")) {
    cursor.expectSymbol("<");
    const element = parseTypeName(cursor);
    cursor.expectSymbol(">");
    return { kind: "array", element, at };
  }
  if (cursor.takeWord("STRUCT")) {
    cursor.expectSymbol("<");
    const fields = cursor.isSymbol(">") ? [] : cursor.list(() => field(cursor));
    cursor.expectSymbol(">");
    return { kind: "struct", fields, at };
  }
  if (cursor.isWord("INTERVAL")) throw cursor.unsupported("The type INTERVAL");
  const name = cursor.expectName();
  if (cursor.isSymbol("(")) throw cursor.unsupported("A parameterized type");
  return { kind: "scalar", name, at };
}
