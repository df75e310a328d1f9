import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { readConfiguration } from "../configuration.ts";
import { plan } from "../plan.ts";
import { customersOf, FUNCTIONS, FUNCTIONS_JSON, TERRAFORM } from "../roots.ts";
import { hasTerraform, providerFreeModules } from "../terraform-binary.ts";
import { terraformValue } from "../testing/terraform-console.ts";
import { evaluate, type Scope } from "./evaluate.ts";
import { parseExpression } from "./expression.ts";
import { Json } from "./functions.ts";
import { type Fields, textOf, Unknown, type Value } from "./value.ts";

const NOWHERE: Scope = { folder: tmpdir(), variables: new Map(), lookUp: (root, name) => new Unknown(`${root}.${name}`) };
const evaluated = async (expression: string): Promise<Value> => evaluate(await parseExpression(`\${${expression}}`), NOWHERE);

/** Expressions with their values in Terraform. */
const EXPRESSIONS: readonly (readonly [expression: string, value: Value])[] = [
  ["1 + 2 * 3", 7],
  ["-(4 % 3) < 0 && !false", true],
  ['true ? "a" : "b"', "a"],
  [`"\${1 + 1}-\${true}-$\${x}-\\"q\\"\\n"`, `2-true-\${x}-"q"\n`],
  ['{ b = 1, ("a") = [2], "c d" = null }', { a: [2], b: 1, "c d": null }],
  [`[for key, value in { b = 1, a = 2 } : "\${key}\${value}"]`, ["a2", "b1"]],
  [`[for index, value in ["x", "y"] : "\${index}\${value}" if value != "x"]`, ["1y"]],
  ['{ for word in ["ab", "ac", "b"] : substr(word, 0, 1) => word... }', { a: ["ab", "ac"], b: ["b"] }],
  ["[{ a = { b = 1 } }, { a = { b = 2 } }][*].a.b", [1, 2]],
  ['{ a = [1, { b = "x" }] }.a[1]["b"]', "x"],
  ['element(["a", "b"], 3)', "b"],
  ['try({}.a, "none")', "none"],
  ['can(regex("^a+$", "aab"))', false],
  ['regex("^(a+)(b)$", "aab")', ["aa", "b"]],
  ['length(regexall("a", "banana"))', 3],
  ['replace("/a/{id}/b/{x}", "/\\\\{[^}]+\\\\}/", "*")', "/a/*/b/*"],
  ['replace("a.b", ".", "$1")', "a$1b"],
  ['sort(toset(["b", "a", "b"]))', ["a", "b"]],
  ["merge({ a = 1 }, null, { a = 2, b = 3 })", { a: 2, b: 3 }],
  ["merge([{ a = 1 }, { b = 2 }]...)", { a: 1, b: 2 }],
  ['coalesce(null, "", "x")', "x"],
  ["concat([1], [], [2])", [1, 2]],
  ["flatten([[1], [[2]], 3])", [1, 2, 3]],
  ['distinct(["b", "a", "b"])', ["b", "a"]],
  ['setsubtract(["c", "b", "a"], ["b"])', ["a", "c"]],
  [
    'setproduct(["a"], [1, 2])',
    [
      ["a", 1],
      ["a", 2],
    ],
  ],
  ["range(1, 4)", [1, 2, 3]],
  ['format("%s-%04d", "a", 7)', "a-0007"],
  ['trimsuffix("abb", "b")', "ab"],
  ['substr(sha256("x"), 0, 6)', "2d7116"],
  ["one([])", null],
  ['lookup({ a = 1 }, "b", 2)', 2],
  ["chunklist([1, 2, 3], 2)", [[1, 2], [3]]],
  ['max(1, 3, 2) == 3 && contains(["a"], "a") && alltrue([])', true],
  ['jsondecode("{\\"a\\":[1,null]}").a', [1, null]],
  ['join(",", split(" ", "a b"))', "a,b"],
];

describe("an expression", () => {
  it.each(EXPRESSIONS)("%s has its expected value", async (expression, value) => {
    expect(textOf(await evaluated(expression))).toBe(textOf(value));
  });

  it.skipIf(!hasTerraform())("has the same value in the installed Terraform", () => {
    const said = terraformValue(tmpdir(), `[${EXPRESSIONS.map(([expression]) => expression).join(", ")}]`);
    expect(textOf(said)).toBe(textOf(EXPRESSIONS.map(([, value]) => value)));
  });

  it("is rejected if it is invalid", async () => {
    for (const refused of [
      "[0][1]",
      "{}.a",
      "one([1, 2])",
      `"x\${[]}"`,
      "{ for a in [1, 1] : a => a }",
      '1 + "x"',
      "nothing(1)",
      "true ? 1",
      'regex("a", "b")',
    ])
      await expect(evaluated(refused).then(textOf), refused).rejects.toThrow();
  });

  it("is unknown if it depends on a value known only after an apply, and names it", async () => {
    const unknown = async (expression: string) => textOf(await evaluated(expression));
    expect(await unknown("thing.x.id")).toBe('"<thing.x.id>"');
    expect(await unknown(`"a-\${thing.x.id}"`)).toBe('"<a-thing.x.id>"');
    expect(await unknown("sort([thing.x.id])")).toBe('"<sort([\\"<thing.x.id>\\"])>"');
    expect(await unknown("length([thing.x.id])")).toBe("1");
    expect(await unknown("false && thing.x.id")).toBe("false");
    expect(await unknown("coalesce(null, thing.x.id)")).toBe('"<thing.x.id>"');
  });
});

const VIEWS = v.parse(Json, JSON.parse(readFileSync(`${TERRAFORM}../infra/generated/customer-views.json`, "utf8")));

/** Variables of `modules/customer-plan` that differ between customers. */
const CUSTOMER_PLAN: Fields = {
  countries: ["EST", "NOR"],
  customers: {
    ...customersOf(2),
    plaincustomer: { name: "Plain", environment: "prod", countries: ["NOR"], scopes: [], scenarios: [] },
    elsewhere: { name: "Elsewhere", environment: "dev", countries: ["EST"], scopes: ["warehouse"], scenarios: ["B"] },
  },
  data_project: "populus-prod",
  delivery_project: "populus-prod-delivery",
  environment: "prod",
  login_service_account: "fn-auth-login@populus-prod.iam.gserviceaccount.com",
  region: "europe-north1",
  subscribers: { customer0001: ["user:analyst@example.com"] },
  views: VIEWS,
};

const MODULES: readonly (readonly [name: string, variables: Fields])[] = [
  ["catalogue", { functions: FUNCTIONS_JSON }],
  ["catalogue", { functions: FUNCTIONS_JSON, withheld: ["maps-update"], sizing: { worker: { instances: 3 } } }],
  ["accounts", { functions: ["a-function-whose-name-is-far-too-long", "short"], called: ["short"] }],
  ["roles", { functions: FUNCTIONS.map(({ name }) => name) }],
  ["customer-plan", CUSTOMER_PLAN],
];

describe("a module without a provider", () => {
  it("is each of these", () => {
    expect([...new Set(MODULES.map(([name]) => name))].sort()).toEqual(providerFreeModules(`${TERRAFORM}modules`));
  });

  it.skipIf(!hasTerraform()).each(MODULES)("%s has the locals that Terraform on this machine gives it", async (name, variables) => {
    const folder = `${TERRAFORM}modules/${name}`;
    const { locals } = await plan(folder, variables);
    const names = [...(await readConfiguration(folder)).locals.keys()];
    const said = terraformValue(folder, `{ ${names.map((local) => `${local} = local.${local}`).join(", ")} }`, variables);
    expect(names.length).toBeGreaterThan(0);
    expect(textOf(locals)).toBe(textOf(said));
  });
});
