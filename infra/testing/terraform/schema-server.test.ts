import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { terraform } from "../../../scripts/terraform/provider/terraform.ts";
import { hasTerraform } from "../../../scripts/terraform/terraform-binary.ts";
import type { ProviderSchema } from "./schema.ts";
import { type SchemaServer, serveSchemas } from "./schema-server.ts";

const attribute = { required: false, optional: true, computed: false };
const SCHEMA: ProviderSchema = {
  version: "1.0.0",
  provider: { attributes: [{ ...attribute, name: "project", type: "string" }], blocks: [] },
  resources: {
    example_thing: {
      attributes: [
        { ...attribute, name: "name", type: "string", required: true, optional: false },
        { ...attribute, name: "url", type: "string", optional: false, computed: true },
      ],
      blocks: [
        {
          name: "rule",
          nesting: "LIST",
          min: 0,
          max: 1,
          block: { attributes: [{ ...attribute, name: "age", type: "number" }], blocks: [] },
        },
      ],
    },
  },
  dataSources: {},
};
const REQUIRED = 'terraform {\n  required_providers {\n    example = { source = "populus/example" }\n  }\n}\n';

/** Terraform where it is installed: without it there is nothing that would ask. */
const withTerraform = it.skipIf(!hasTerraform());
let served: SchemaServer;
let folder: string;
beforeAll(async () => {
  served = await serveSchemas({ "populus/example": SCHEMA });
  folder = mkdtempSync(join(tmpdir(), "populus-schema-"));
});
afterAll(() => {
  served.close();
  rmSync(folder, { recursive: true });
});

/** What Terraform prints in the folder, on one line. */
async function printed(...args: string[]): Promise<string> {
  const { stdout, stderr } = await terraform(folder, args, served.environment);
  return `${stdout}${stderr}`.replace(/\s+/g, " ");
}

withTerraform("Terraform plans with the schema, and what is computed is unknown until it is applied", async () => {
  writeFileSync(
    join(folder, "main.tf"),
    `${REQUIRED}provider "example" { project = "p" }\nresource "example_thing" "one" {\n  name = "a"\n  rule { age = 1 }\n}\n`,
  );
  const assertion =
    "condition = example_thing.one.rule[0].age == 1 && length(example_thing.one.url) > 0\n    error_message = example_thing.one.url";
  writeFileSync(join(folder, "main.tftest.hcl"), `mock_provider "example" {}\nrun "applied" {\n  assert {\n    ${assertion}\n  }\n}\n`);
  await printed("init");
  expect(await printed("test", "-no-color")).toContain("Success! 1 passed, 0 failed.");
});

withTerraform("Terraform refuses what the schema does not have", async () => {
  writeFileSync(
    join(folder, "main.tf"),
    `${REQUIRED}resource "example_thing" "one" {\n  nmae = "a"\n  rule {}\n  rule {}\n}\nresource "example_nothing" "two" {}\n`,
  );
  await printed("init");
  const refusal = await printed("validate", "-no-color");
  for (const fault of [
    'An argument named "nmae" is not expected here. Did you mean "name"?',
    'The argument "name" is required',
    "Too many rule blocks",
    'does not support resource type "example_nothing"',
  ])
    expect(refusal).toContain(fault);
});
