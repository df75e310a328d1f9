import type { Entry } from "./entry.ts";

type Matches = (entry: Entry) => boolean;

const SEVERITIES: readonly unknown[] = ["DEFAULT", "DEBUG", "INFO", "NOTICE", "WARNING", "ERROR", "CRITICAL", "ALERT", "EMERGENCY"];
const OPERATORS = ["<=", ">=", "!=", "=", "<", ">", ":"] as const;
type Operator = (typeof OPERATORS)[number];

/**
 * Returns whether an entry matches a filter of the Logging query language: comparisons of members with texts and numbers, lists of values,
 * `AND`, `OR`, `NOT` and parentheses. Throws for what it does not know, rather than guess.
 * Source: https://cloud.google.com/logging/docs/view/logging-query-language
 */
export function compileQuery(filter: string): Matches {
  const tokens = tokensOf(filter);
  let at = 0;
  const take = (): string => tokens[at++] ?? "";
  const isNext = (token: string): boolean => tokens[at] === token;
  const expect = (token: string): void => {
    const found = take();
    if (found !== token) throw new Error(`${filter}: expected ${token}, not ${found || "the end"}`);
  };
  /** One operator's operands: AND binds closer than OR. */
  const chain = (operator: string, operand: () => Matches, join: (all: readonly Matches[]) => Matches): Matches => {
    const operands = [operand()];
    while (isNext(operator)) {
      at++;
      operands.push(operand());
    }
    return join(operands);
  };
  const any = (): Matches => chain("OR", all, (operands) => (entry) => operands.some((matches) => matches(entry)));
  const all = (): Matches => chain("AND", one, (operands) => (entry) => operands.every((matches) => matches(entry)));
  const one = (): Matches => {
    if (isNext("NOT")) {
      at++;
      const negated = one();
      return (entry) => !negated(entry);
    }
    if (isNext("(")) {
      at++;
      const inner = any();
      expect(")");
      return inner;
    }
    return comparison();
  };
  const comparison = (): Matches => {
    const path = pathOf(take());
    const written = take();
    const operator = OPERATORS.find((known) => known === written);
    if (!operator) throw new Error(`${filter}: ${written || "the end"} is no operator`);
    if (!isNext("(")) return compared(path, operator, take());
    at++;
    const value = (): Matches => compared(path, operator, take());
    const values = chain("OR", value, (operands) => (entry) => operands.some((matches) => matches(entry)));
    expect(")");
    return values;
  };
  const query = any();
  if (at < tokens.length) throw new Error(`${filter}: ${tokens[at]} is too much`);
  return query;
}

/** Texts with their quotes, operators, parentheses, and words. */
function tokensOf(filter: string): string[] {
  const token = /\s*("(?:[^"\\]|\\.)*"|<=|>=|!=|[=<>:()]|[\w.*/-]+)/y;
  const tokens: string[] = [];
  while (token.lastIndex < filter.trimEnd().length) {
    const { lastIndex } = token;
    const [, found] = token.exec(filter) ?? [];
    if (found === undefined) throw new Error(`${filter}: cannot be read from ${lastIndex}`);
    tokens.push(found);
  }
  return tokens;
}

function pathOf(token: string): string[] {
  if (!/^[a-z]\w*(\.\w+)*$/i.test(token)) throw new Error(`${token || "the end"} is no member`);
  return token.split(".");
}

function compared(path: readonly string[], operator: Operator, token: string): Matches {
  if (token === "" || /^[()=<>:]/.test(token)) throw new Error(`${path.join(".")}: ${token || "the end"} is no value`);
  if (operator === ":" && token === "*") return (entry) => memberOf(entry, path) !== undefined;
  if (token === "*") throw new Error(`${path.join(".")}: * needs the operator :`);
  const wanted = token.startsWith('"') ? String(JSON.parse(token)) : token;
  return (entry) => {
    const found = memberOf(entry, path);
    // An absent member compares with nothing, not even by !=.
    if (found === undefined || found === null) return false;
    if (operator === ":") return String(found).toLowerCase().includes(wanted.toLowerCase());
    const order = path.join(".") === "severity" ? rank(found) - rank(wanted) : orderOf(found, wanted);
    return isIn(order, operator);
  };
}

function memberOf(entry: Entry, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isRecord(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined), entry);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function rank(severity: unknown): number {
  const found = SEVERITIES.indexOf(severity);
  if (found < 0) throw new Error(`${String(severity)} is no severity`);
  return found;
}

/** Negative, 0 or positive; NaN when they cannot be compared, which matches nothing but !=. */
function orderOf(found: unknown, wanted: string): number {
  if (typeof found === "number") return found - Number(wanted);
  if (typeof found !== "string") return String(found) === wanted ? 0 : Number.NaN;
  return found === wanted ? 0 : found < wanted ? -1 : 1;
}

function isIn(order: number, operator: Exclude<Operator, ":">): boolean {
  return { "=": order === 0, "!=": order !== 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0 }[operator];
}
