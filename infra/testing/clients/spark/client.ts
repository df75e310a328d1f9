import { fileURLToPath } from "node:url";
import type { Client } from "../client.ts";
import { EXAMPLES, expectSameRows } from "../imported-file.ts";
import { pythonEnvironment } from "../tools/python-environment.ts";
import { mustRun } from "../tools/run-program.ts";

const environment = pythonEnvironment(new URL("requirements.txt", import.meta.url));

/** PyPI's pyspark, with which providers make their files. It runs on the machine's Java. */
export const spark: Client = {
  name: "spark",
  tool: environment,
  checks: [
    {
      name: "files that the import takes",
      quick: false,
      run: async ({ folder }) => {
        const { program, variables } = await environment.python();
        const writer = fileURLToPath(new URL("write.py", import.meta.url));
        await mustRun(program, [writer], { folder, environment: { EXAMPLES, ...variables } });
        await expectSameRows(folder);
      },
    },
  ],
};
