import { fileURLToPath } from "node:url";
import type { Check, CheckContext } from "../client.ts";
import type { PythonEnvironment } from "./python-environment.ts";
import { mustRun } from "./run-program.ts";

type Variables = Readonly<Record<string, string>>;

/** The Python programs of a client. */
interface PythonPrograms {
  /** Runs Python with these arguments, and returns what it prints. Throws an Error if it fails. */
  readonly python: (args: readonly string[], context: CheckContext) => Promise<string>;
  /** Returns the check that a program of the client's folder makes: it ends with an exception when something is wrong. */
  readonly programCheck: (name: string, file: string, quick: boolean) => Check;
}

/**
 * Describes the programs of a client. A client that works says nothing, so a warning is an error.
 * @param client the URL of the client's module
 * @param ignored categories of warnings that are none
 */
export function pythonPrograms(
  client: string,
  environment: PythonEnvironment,
  variables: (context: CheckContext) => Variables | Promise<Variables>,
  ignored: readonly string[] = [],
): PythonPrograms {
  const warnings = ["-W", "error", ...ignored.flatMap((category) => ["-W", `ignore::${category}`])];
  const python: PythonPrograms["python"] = async (args, context) => {
    const interpreter = await environment.python();
    const { stdout } = await mustRun(interpreter.program, [...warnings, ...args], {
      folder: context.folder,
      environment: { ...(await variables(context)), ...interpreter.variables },
    });
    return stdout;
  };
  return {
    python,
    programCheck: (name, file, quick) => ({
      name,
      quick,
      run: async (context) => {
        await python([fileURLToPath(new URL(file, client))], context);
      },
    }),
  };
}
