import type { Route } from "./http.ts";

/** The route `projects`: the one project there is, for callers that may run jobs in it. */
export function projectRoutes(project: string): Route[] {
  return [
    {
      method: "GET",
      path: "/projects",
      handler: ({ caller }) => {
        const seen = caller.role.kind === "service" || caller.onlyDataset !== undefined ? [project] : [];
        const projects = seen.map((id) => ({ kind: "bigquery#project", id, projectReference: { projectId: id }, friendlyName: id }));
        return { kind: "bigquery#projectList", projects, totalItems: projects.length };
      },
    },
  ];
}
