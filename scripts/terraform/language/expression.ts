import * as v from "valibot";
import { getExpressionAst } from "../hcl2json.ts";

/** A parsed expression of Terraform's language. */
export type Expression =
  | { readonly kind: "literal"; readonly value: null | boolean | number | string }
  | { readonly kind: "template" | "tuple"; readonly parts: readonly Expression[] }
  | { readonly kind: "name"; readonly root: string; readonly steps: readonly Step[] }
  | { readonly kind: "relative"; readonly source: Expression; readonly steps: readonly Step[] }
  | { readonly kind: "index"; readonly source: Expression; readonly key: Expression }
  | { readonly kind: "splat"; readonly source: Expression; readonly each: Expression }
  | { readonly kind: "element" }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Expression[]; readonly expands: boolean }
  | { readonly kind: "conditional"; readonly condition: Expression; readonly whenTrue: Expression; readonly whenFalse: Expression }
  | { readonly kind: "operation"; readonly operator: string; readonly operands: readonly Expression[] }
  | { readonly kind: "object"; readonly entries: readonly (readonly [key: Expression, value: Expression])[] }
  | For;

export interface For {
  readonly kind: "for";
  readonly collection: Expression;
  readonly keyName: string;
  readonly valueName: string;
  readonly key: Expression | undefined;
  readonly value: Expression;
  readonly condition: Expression | undefined;
  readonly isGrouped: boolean;
}

/** An accessor after an expression: `.name`, `["name"]` or `[0]`. */
export type Step = number | string;

interface Node {
  readonly type: string;
  readonly children: readonly Node[];
  readonly meta?: v.InferOutput<typeof Meta> | undefined;
  readonly range: v.InferOutput<typeof Range>;
}

const Marker = v.object({ byte: v.number() });
const Range = v.object({ start: Marker, end: Marker });
const Meta = v.object({
  value: v.string(),
  type: v.optional(v.string()),
  name: v.optional(v.string(), ""),
  operator: v.optional(v.string(), ""),
  keyVar: v.optional(v.string(), ""),
  valVar: v.optional(v.string(), ""),
  keyExpression: v.optional(v.string(), ""),
  conditionalExpression: v.optional(v.string(), ""),
  groupedValue: v.optional(v.boolean(), false),
  expandedFinalArgument: v.optional(v.boolean(), false),
  traversal: v.optional(v.array(v.object({ type: v.string(), segment: v.string() })), []),
});
const Node: v.GenericSchema<unknown, Node> = v.object({
  type: v.string(),
  children: v.array(v.lazy(() => Node)),
  meta: v.optional(Meta),
  range: Range,
});

/** Parses an expression, or a text with `${…}`, in hcl2json's format. Throws for invalid syntax. */
export async function parseExpression(text: string): Promise<Expression> {
  if (!/\$\{|%\{/.test(text)) return { kind: "literal", value: text };
  const whole = /^\$\{([\s\S]*)\}$/.exec(text)?.[1];
  const alone = whole === undefined ? undefined : await parseBare(whole).catch(() => undefined);
  return alone ?? (await parseBare(quoted(text)));
}

/** Returns a text as a quoted string. hcl2json removes escapes from the text, but not from the expressions in it. */
function quoted(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { index } of text.matchAll(/(?<!\$)\$\{/g)) {
    if (index < from) continue;
    const end = endOfExpression(text, index + 2);
    parts.push(JSON.stringify(text.slice(from, index)).slice(1, -1), text.slice(index, end));
    from = end;
  }
  return `"${parts.join("")}${JSON.stringify(text.slice(from)).slice(1, -1)}"`;
}

/** Returns the position of the closing brace for the brace before a position. Ignores braces in strings. */
function endOfExpression(text: string, from: number): number {
  let depth = 1;
  for (const { 0: token, index } of text.slice(from).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === "{") depth += 1;
    if (token === "}") depth -= 1;
    if (depth === 0) return from + index + 1;
  }
  throw new Error(`An expression that does not end: ${text}`);
}

async function parseBare(source: string): Promise<Expression> {
  const bytes = Buffer.from(source);
  return read(v.parse(Node, await getExpressionAst("expression.tf", source)));

  function read(node: Node): Expression {
    const { type, children, meta = v.parse(Meta, { value: "" }) } = node;
    const [first, second, third] = children;
    const of = (child: Node | undefined): Expression => {
      if (child === undefined) throw new Error(`${type} lacks a part: ${meta.value}`);
      return read(child);
    };
    switch (type) {
      case "literalValue":
        return { kind: "literal", value: literal(meta.value, meta.type) };
      case "templateWrap":
        return of(first);
      case "template":
        return { kind: "template", parts: children.map(read) };
      case "tuple":
        return { kind: "tuple", parts: children.map(read) };
      case "scopeTraversal": {
        const [root, ...steps] = meta.traversal;
        return { kind: "name", root: root?.segment ?? "", steps: steps.map(step) };
      }
      case "relativeTraversal":
        return { kind: "relative", source: of(first), steps: meta.traversal.map(step) };
      case "index":
        return { kind: "index", source: of(first), key: of(second) };
      case "splat":
        return { kind: "splat", source: of(first), each: of(second) };
      case "function":
        return { kind: "call", name: meta.name, args: children.map(read), expands: meta.expandedFinalArgument };
      case "conditional":
        return { kind: "conditional", condition: of(first), whenTrue: of(second), whenFalse: of(third) };
      case "unaryOp":
      case "binaryOp":
        return { kind: "operation", operator: meta.operator, operands: children.map(read) };
      case "object":
        return { kind: "object", entries: pairs(children).map(([key, value]) => [readKey(key), read(value)]) };
      case "for": {
        const rest = children.slice(1);
        const [key, value] = meta.keyExpression === "" ? [undefined, rest.shift()] : [rest.shift(), rest.shift()];
        return {
          kind: "for",
          collection: of(first),
          keyName: meta.keyVar,
          valueName: meta.valVar,
          key: key && read(key),
          value: of(value),
          condition: rest[0] && read(rest[0]),
          isGrouped: meta.groupedValue,
        };
      }
      case "":
        return first === undefined ? { kind: "element" } : read(first);
      default:
        throw new Error(`Unknown syntax ${type}: ${meta.value}`);
    }
  }

  /** The parser returns no name for a bare key, only its position. */
  function readKey({ children: [inner], range }: Node): Expression {
    return inner ? read(inner) : { kind: "literal", value: bytes.subarray(range.start.byte, range.end.byte).toString() };
  }
}

function pairs(nodes: readonly Node[]): [Node, Node][] {
  return nodes.flatMap((key, index): [Node, Node][] => {
    const value = nodes[index + 1];
    return index % 2 === 0 && value !== undefined ? [[key, value]] : [];
  });
}

function step({ type, segment }: { type: string; segment: string }): Step {
  if (type === "nameTraversal") return segment;
  return segment.startsWith('"') ? segment.slice(1, -1) : Number(segment);
}

const ESCAPED: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };

function literal(value: string, type: string | undefined): null | boolean | number | string {
  if (type === "number") return Number(value);
  if (type === "bool") return value === "true";
  if (type !== "string") return null;
  return value
    .replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (all, code, letter) =>
      code ? String.fromCodePoint(Number.parseInt(code, 16)) : (ESCAPED[letter] ?? all),
    )
    .replaceAll("$${", "${")
    .replaceAll("%%{", "%{");
}
