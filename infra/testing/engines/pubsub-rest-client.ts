/** The REST API of a local Pub/Sub, for tests. Paths are relative to the project. */
export type RestClient = (method: string, path: string, body?: object) => Promise<{ readonly status: number; readonly body: unknown }>;

export function restClient(address: string, project: string): RestClient {
  return async (method, path, body) => {
    const response = await fetch(`http://${address}/v1/projects/${project}/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    return { status: response.status, body: await response.json() };
  };
}
