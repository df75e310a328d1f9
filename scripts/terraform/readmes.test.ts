import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { interfaceOf } from "./interfaces.ts";

const TERRAFORM = join(import.meta.dirname, "../../terraform");
const MODULES = readdirSync(join(TERRAFORM, "modules")).map((name) => `modules/${name}`);

/** Returns the names of a folder's blocks of one kind. */
function declared(folder: string, kind: string): string[] {
  const files = readdirSync(join(TERRAFORM, folder))
    .filter((file) => file.endsWith(".tf"))
    .sort();
  const text = files.map((file) => readFileSync(join(TERRAFORM, folder, file), "utf8")).join("\n");
  return [...text.matchAll(new RegExp(`^\\s*${kind}\\s+"(\\w+)"`, "gm"))].map(([, name = ""]) => name);
}

it.each([...MODULES.map((name) => [name, name]), ["customers", "customers"], ["environments", "environments/prod"]])(
  "the README of %s names the inputs and outputs, and says what the folder makes",
  (place, folder) => {
    const readme = readFileSync(join(TERRAFORM, place, "README.md"), "utf8");
    const [intro = "", inputs = "", outputs = ""] = readme.split(/^## (?:Inputs|Outputs)$/m);
    const named = (text: string) => [...text.matchAll(/^- `(\w+)`: \S/gm)].map(([, name]) => name);
    expect(named(inputs)).toEqual(declared(folder, "variable"));
    expect(named(outputs)).toEqual(declared(folder, "output"));
    expect(intro.replace(/^#.*$|^<!--.*$/gm, "").trim().length).toBeGreaterThan(40);
  },
);

it("dev and prod have the same inputs and outputs, and differ in the default of sizing", () => {
  const [dev, prod] = ["dev", "prod"].map((name) => interfaceOf(join(TERRAFORM, "environments", name)));
  expect(dev?.outputs).toEqual(prod?.outputs);
  const differing = dev?.inputs.filter((input, index) => JSON.stringify(input) !== JSON.stringify(prod?.inputs[index]));
  expect(differing?.map(({ name }) => name)).toEqual(["sizing"]);
});

it("a type and a default are on one line, without comments", () => {
  const { inputs } = interfaceOf(join(TERRAFORM, "customers"));
  const environments = inputs.find(({ name }) => name === "environments");
  expect(environments?.type).toMatch(
    /^map\(object\(\{ contact_email = optional\(string\), .*signer_service_account = optional\(string\) \}\)\)$/,
  );
  expect(inputs.find(({ name }) => name === "subscribers")).toMatchObject({ type: "map(set(string))", default: "{}" });
});
