/**
 * A token of GoogleSQL. `at` and `end` are offsets into the text. `text` is the value (of a string: its content, of a quoted name: the
 * name).
 */
export interface Token {
  readonly kind: "name" | "quoted-name" | "int" | "float" | "string" | "bytes" | "parameter" | "symbol" | "end";
  readonly text: string;
  readonly at: number;
  readonly end: number;
}
