import type { Auth, Endpoint } from "../../shared/http/define-endpoint.ts";
import { markdownTable } from "./markdown-table.ts";

const API_NAMES = { users: "Users API", data: "Data API" } as const;

/** Returns the table of all endpoints, ordered by API and path. */
export function endpointTable(endpoints: readonly Endpoint[]): string {
  const ordered = endpoints.toSorted(
    (a, b) => b.api.localeCompare(a.api) || a.path.localeCompare(b.path) || a.method.localeCompare(b.method),
  );
  return markdownTable(
    ["API", "request", "what it does", "the key needs", "success"],
    ordered.map(({ api, method, path, summary, auth, responses, requestHeaders = [] }) => [
      API_NAMES[api],
      `\`${method} ${path}\``,
      [summary, ...requestHeaders.map((name) => `accepts \`${name}\``)].join("; "),
      requirement(auth),
      Object.keys(responses).join(", "),
    ]),
  );
}

function requirement(auth: Auth): string {
  if (auth === "none") return "no key";
  const needs = [...(auth.scope ? [`scope \`${auth.scope}\``] : []), ...(auth.machineAccountAdmin ? ["machine-account admin access"] : [])];
  return needs.join(", ") || "–";
}
