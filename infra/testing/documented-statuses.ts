import data from "../generated/openapi.data.json" with { type: "json" };
import users from "../generated/openapi.users.json" with { type: "json" };

interface Operation {
  readonly method: string;
  readonly template: string;
  readonly path: RegExp;
  readonly statuses: readonly string[];
}

const DOCUMENTS = { users: operationsOf(users.paths), data: operationsOf(data.paths) };

/** Returns the operations of a document. Paths without parameters come first: they are no values of others' parameters. */
function operationsOf(paths: object): Operation[] {
  return Object.entries(paths)
    .flatMap(([template, item]) =>
      Object.entries(Object(item)).map(([method, operation]) => ({
        method: method.toUpperCase(),
        template,
        path: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
        statuses: Object.keys(Object(operation).responses),
      })),
    )
    .toSorted((a, b) => Number(a.template.includes("{")) - Number(b.template.includes("{")));
}

/** The statuses of a body. A client that reads the document sends none to an operation without one. */
const OF_BODIES = [408, 413, 415];

/** Throws for an answer to a client's mistake that the OpenAPI document of the API does not list for its operation. */
export function requireDocumented(api: "users" | "data", method: string, path: string, status: number): void {
  const [asked = ""] = path.split("?");
  const operation = DOCUMENTS[api].find((one) => one.method === method && one.path.test(asked));
  if (!operation || status < 400 || status >= 500 || OF_BODIES.includes(status) || operation.statuses.includes(String(status))) return;
  throw new Error(`${method} ${operation.template} answered ${status}, which its OpenAPI document does not list: add it to \`refusals\``);
}
