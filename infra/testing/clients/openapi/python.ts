import { fileURLToPath } from "node:url";
import type { CheckContext, Client } from "../client.ts";
import { pythonEnvironment } from "../tools/python-environment.ts";
import { mustRun } from "../tools/run-program.ts";
import { apiVariables, fetchDocuments } from "./documents.ts";

export const environment = pythonEnvironment(new URL("requirements.txt", import.meta.url));

async function generatedClient(context: CheckContext): Promise<void> {
  const program = fileURLToPath(new URL("python_client.py", import.meta.url));
  const python = await environment.python();
  await mustRun(python.program, [program], { folder: context.folder, environment: { ...apiVariables(context), ...python.variables } });
}

async function validator(context: CheckContext): Promise<void> {
  const { program, variables } = await environment.python();
  for (const { file } of await fetchDocuments(context))
    await mustRun(program, ["-m", "openapi_spec_validator", file], { folder: context.folder, environment: variables });
}

/** PyPI's tools for OpenAPI documents. */
export const openapiPython: Client = {
  name: "openapi-python",
  tool: environment,
  checks: [
    { name: "openapi-spec-validator", quick: false, run: validator },
    { name: "openapi-python-client: login, preview, map, job", quick: false, run: generatedClient },
  ],
};
