import type { Expression, For, Step } from "./expression.ts";
import { createFunctions, type LanguageFunction } from "./functions.ts";
import { asList, asNumber, asText, asTruth, entriesOf, isFields, isList, textOf, Unknown, unknownIn, type Value } from "./value.ts";

/** Resolves the names of an expression. */
export interface Scope {
  /** Names bound by a `for` or a block, `each` and `count`. */
  readonly variables: ReadonlyMap<string, Value>;
  /** Resolves a pair of names: `var.region`, `local.routes`, `google_pubsub_topic.jobs`. */
  readonly lookUp: (root: string, name: string) => Value;
  /** The folder that file paths are relative to. */
  readonly folder: string;
}

/** Evaluates an expression. Values that depend on an unknown value are unknown. Throws if Terraform would report an error. */
export function evaluate(expression: Expression, scope: Scope): Value {
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "tuple":
      return expression.parts.map((part) => evaluate(part, scope));
    case "template": {
      const parts = expression.parts.map((part) => evaluate(part, scope));
      return known(parts, () => parts.map(asText).join("")) ?? new Unknown(parts.map(shown).join(""));
    }
    case "name":
      return evaluateName(expression.root, expression.steps, scope);
    case "relative":
      return follow(evaluate(expression.source, scope), expression.steps);
    case "index": {
      const key = evaluate(expression.key, scope);
      if (key instanceof Unknown) return new Unknown(`…[${key.of}]`);
      return follow(evaluate(expression.source, scope), [typeof key === "number" ? key : asText(key)]);
    }
    case "splat": {
      const source = evaluate(expression.source, scope);
      if (source instanceof Unknown) return new Unknown(`${source.of}[*]`);
      const items = isList(source) ? source : source === null ? [] : [source];
      return items.map((item) => evaluate(expression.each, withVariables(scope, { "[*]": item })));
    }
    case "element":
      return scope.variables.get("[*]") ?? null;
    case "conditional": {
      const condition = evaluate(expression.condition, scope);
      if (condition instanceof Unknown) return new Unknown(`${condition.of} ? …`);
      return evaluate(asTruth(condition) ? expression.whenTrue : expression.whenFalse, scope);
    }
    case "operation":
      return operate(
        expression.operator,
        expression.operands.map((operand) => () => evaluate(operand, scope)),
      );
    case "object": {
      const entries = expression.entries.map(([key, value]): [Value, Value] => [evaluate(key, scope), evaluate(value, scope)]);
      return Object.fromEntries(entries.map(([key, value]) => [asText(key), value]));
    }
    case "for":
      return evaluateFor(expression, scope);
    case "call":
      return call(expression.name, expression.args, expression.expands, scope);
  }
}

/** Returns a scope with additional names. */
export function withVariables(scope: Scope, names: Readonly<Record<string, Value>>): Scope {
  return { ...scope, variables: new Map([...scope.variables, ...Object.entries(names)]) };
}

function known<Result>(values: readonly Value[], of: () => Result): Result | undefined {
  return values.some((value) => unknownIn(value)) ? undefined : of();
}

function shown(value: Value): string {
  return value instanceof Unknown ? value.of : typeof value === "string" ? value : textOf(value);
}

function evaluateName(root: string, steps: readonly Step[], scope: Scope): Value {
  const variable = scope.variables.get(root);
  if (variable !== undefined) return follow(variable, steps);
  const [name, ...rest] = steps;
  return follow(scope.lookUp(root, String(name)), rest);
}

function follow(value: Value, steps: readonly Step[]): Value {
  let current = value;
  for (const step of steps) {
    if (current instanceof Unknown) current = new Unknown(`${current.of}${typeof step === "number" ? `[${step}]` : `.${step}`}`);
    else if (isList(current)) current = item(current[Number(step)], step);
    else if (isFields(current)) current = item(Object.hasOwn(current, step) ? current[step] : undefined, step);
    else throw new Error(`${textOf(current)} has no ${step}`);
  }
  return current;
}

function item(found: Value | undefined, step: Step): Value {
  if (found === undefined) throw new Error(`There is no ${step}`);
  return found;
}

function evaluateFor({ collection, keyName, valueName, key, value, condition, isGrouped }: For, scope: Scope): Value {
  const source = evaluate(collection, scope);
  if (source instanceof Unknown) return new Unknown(`for … in ${source.of}`);
  const inner = entriesOf(source).map(([index, item]) =>
    withVariables(scope, { ...(keyName === "" ? {} : { [keyName]: index }), [valueName]: item }),
  );
  const kept = inner.filter((one) => condition === undefined || asTruth(evaluate(condition, one)));
  if (key === undefined) return kept.map((one) => evaluate(value, one));
  const fields: Record<string, Value> = {};
  for (const one of kept) {
    const name = asText(evaluate(key, one));
    const found = fields[name];
    if (found !== undefined && !isGrouped) throw new Error(`Two elements of the key ${name}`);
    const made = evaluate(value, one);
    fields[name] = isGrouped ? [...(found === undefined ? [] : asList(found)), made] : made;
  }
  return fields;
}

function operate(operator: string, operands: readonly (() => Value)[]): Value {
  const [left = () => null, right = () => null] = operands;
  if (operator === "logicalAnd" || operator === "logicalOr") {
    const first = left();
    if (!(first instanceof Unknown) && asTruth(first) === (operator === "logicalOr")) return asTruth(first);
    return right();
  }
  const values = operands.map((operand) => operand());
  return known(values, () => operation(operator, values)) ?? new Unknown(values.map(shown).join(` ${operator} `));
}

function operation(operator: string, [left = null, right = null]: readonly Value[]): Value {
  switch (operator) {
    case "equal":
      return textOf(left) === textOf(right);
    case "notEqual":
      return textOf(left) !== textOf(right);
    case "logicalNot":
      return !asTruth(left);
    case "negate":
      return -asNumber(left);
    case "add":
      return asNumber(left) + asNumber(right);
    case "subtract":
      return asNumber(left) - asNumber(right);
    case "multiply":
      return asNumber(left) * asNumber(right);
    case "divide":
      return asNumber(left) / asNumber(right);
    case "modulo":
      return asNumber(left) % asNumber(right);
    case "greaterThan":
      return asNumber(left) > asNumber(right);
    case "greaterThanOrEqual":
      return asNumber(left) >= asNumber(right);
    case "lessThan":
      return asNumber(left) < asNumber(right);
    case "lessThanOrEqual":
      return asNumber(left) <= asNumber(right);
    default:
      throw new Error(`Unknown operator ${operator}`);
  }
}

function call(name: string, args: readonly Expression[], expands: boolean, scope: Scope): Value {
  if (name === "can") return attempt(args, scope) !== undefined;
  if (name === "try") {
    const found = attempt(args, scope);
    if (found === undefined) throw new Error("No argument of try has a value");
    return found;
  }
  const values = args.map((arg) => evaluate(arg, scope));
  const given = expands ? [...values.slice(0, -1), ...asList(values.at(-1) ?? [])] : values;
  const found: LanguageFunction | undefined = createFunctions(scope.folder)[name];
  if (found === undefined) throw new Error(`Unknown function ${name}`);
  if (given.some((value) => isTooVague(value, found))) return new Unknown(`${name}(${given.map(shown).join(", ")})`);
  return found.of(...given);
}

function isTooVague(value: Value, { takesUnknown }: LanguageFunction): boolean {
  if (takesUnknown === "anywhere") return false;
  return takesUnknown === "inside" ? value instanceof Unknown : unknownIn(value) !== undefined;
}

function attempt(args: readonly Expression[], scope: Scope): Value | undefined {
  for (const arg of args)
    try {
      return evaluate(arg, scope);
    } catch {
      // Tries the next one, as Terraform does.
    }
  return undefined;
}
