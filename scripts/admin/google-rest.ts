import { GoogleAuth } from "google-auth-library";

/** Sends a request to a Google REST API with the operator's credentials (locally those of the local metadata server). */
export type GoogleRest = (method: "GET" | "POST" | "DELETE", url: string, body?: object) => Promise<Response>;

/** Opens Google's REST APIs with `projectId` as the quota project: some APIs reject user credentials without one. */
export function openGoogleRest(projectId: string): GoogleRest {
  const auth = new GoogleAuth({ projectId, scopes: "https://www.googleapis.com/auth/cloud-platform" });
  return async (method, url, body) => {
    const headers = {
      authorization: `Bearer ${await auth.getAccessToken()}`,
      "content-type": "application/json",
      "x-goog-user-project": projectId,
    };
    return fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  };
}
