import { createServer } from "node:http";
import { listenOnLoopback } from "../../../local/server.ts";

/** Answers what the data source `google_project` asks Google: a project's number and its billing account. */
export interface ProjectServer {
  /** Variables of Google's provider. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts a server that knows every project. */
export async function startProjectServer(): Promise<ProjectServer> {
  const { address, close } = await listenOnLoopback(
    createServer(({ url = "" }, response) => {
      const [, id, isBilling] = /^\/v1\/projects\/([\w-]+)(\/billingInfo)?\?/.exec(url) ?? [];
      response.setHeader("content-type", "application/json");
      if (id === undefined) response.writeHead(404).end(JSON.stringify({ error: { code: 404, message: `There is no ${url}` } }));
      else
        response.end(
          JSON.stringify(
            isBilling
              ? { projectId: id, billingAccountName: "billingAccounts/000000-000000-000000", billingEnabled: true }
              : { projectId: id, name: id, projectNumber: "123456789", lifecycleState: "ACTIVE" },
          ),
        );
    }),
  );
  return {
    environment: {
      GOOGLE_OAUTH_ACCESS_TOKEN: "unused",
      GOOGLE_RESOURCE_MANAGER_CUSTOM_ENDPOINT: `http://${address}/v1/`,
      GOOGLE_CLOUD_BILLING_CUSTOM_ENDPOINT: `http://${address}/v1/`,
    },
    close,
  };
}
