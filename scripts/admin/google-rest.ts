import { GoogleAuth } from "google-auth-library";

/** A request to a REST API of Google's with the operator's own credentials (locally those of the local metadata server). */
export type GoogleRest = (method: "GET" | "POST", url: string, body?: object) => Promise<Response>;

/** Opens the REST APIs for a project, which is who asks: some refuse an operator's own credentials that name none, and count against its quota. */
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
