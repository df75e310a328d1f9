import { BigQueryError } from "../model.ts";
import type { StreamingBuffer } from "../warehouse/streaming-buffer.ts";
import { runsJobs } from "./caller.ts";
import type { Route } from "./http.ts";

/** Every project has a number, which clients need; nothing here refers to this one by it. */
const NUMERIC_ID = "100000000001";

/** The route `projects`: the one project there is, for callers that may run jobs in it. */
export function projectRoutes(project: string): Route[] {
  return [
    {
      method: "GET",
      path: "/projects",
      handler: ({ caller }) => {
        const seen = runsJobs(caller) ? [project] : [];
        const projects = seen.map((id) => ({
          kind: "bigquery#project",
          id,
          numericId: NUMERIC_ID,
          projectReference: { projectId: id },
          friendlyName: id,
        }));
        return { kind: "bigquery#projectList", projects, totalItems: projects.length };
      },
    },
  ];
}

/** The local server's own route: empties the streaming buffer, as BigQuery does at some time within 90 minutes. */
export function bufferRoutes(buffer: StreamingBuffer): Route[] {
  return [
    {
      method: "DELETE",
      path: "/emulator/v1/projects/:project/streamingBuffer",
      handler: async ({ caller }) => {
        if (!["operator", "service"].includes(caller.role.kind))
          throw new BigQueryError("accessDenied", "Access Denied: only operators empty the streaming buffer");
        await buffer.flush();
        return undefined;
      },
    },
  ];
}
