import { expect, it } from "vitest";
import { cloudFailure } from "./cloud-failure.ts";
import { cloudProject } from "./cloud-project.ts";

it.each([
  [
    "Could not load the default credentials. Browse to https://cloud.google.com/docs/authentication/getting-started for more information.",
    "There are no credentials for Google Cloud: run gcloud auth application-default login",
  ],
  [
    '14 UNAVAILABLE: {"error":"invalid_grant","error_subtype":"invalid_rapt"}',
    'The credentials for Google Cloud have expired: run gcloud auth application-default login (14 UNAVAILABLE: {"error":"invalid_grant","error_subtype":"invalid_rapt"})',
  ],
  ["7 PERMISSION_DENIED: Missing permission", "7 PERMISSION_DENIED: Missing permission"],
])("%s is told as what to do", (message, told) => {
  expect(cloudFailure(new Error(message))).toBe(told);
});

it("--project is the id of a project, also where a variable is not set", () => {
  expect(cloudProject("populus-dev")).toBe("populus-dev");
  for (const given of ["", "P", "populus dev", "123456789012", "{{projectId}}"])
    expect(() => cloudProject(given)).toThrow(`--project ${JSON.stringify(given)} is not the id of a project: 6 to 30`);
});
