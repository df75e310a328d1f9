import * as v from "valibot";
import { ProjectId } from "../shared/runtime/config.ts";

/**
 * Returns the project of an option `--project`. Throws an Error unless it is the id of a project: with an empty one, as of a variable that is not set,
 * Google's clients would take the project that gcloud is configured for.
 */
export function cloudProject(given: string): string {
  if (v.is(ProjectId, given)) return given;
  throw new Error(`--project ${JSON.stringify(given)} is not the id of a project: 6 to 30 lower-case letters, digits and dashes`);
}
