import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { call, keyOf, newCustomer, ready } from "../infra/testing/service.ts";
import { LoginResponse } from "../shared/accounts/login-schemas.ts";

const customer = await newCustomer();
const key = keyOf(customer);
const Line = v.looseObject({
  severity: v.picklist(["DEBUG", "INFO", "NOTICE", "WARNING", "ERROR"]),
  message: v.string(),
  requestId: v.optional(v.string()),
});

/** The lines that the functions have logged for one request. */
function linesOf(requestId: string): v.InferOutput<typeof Line>[] {
  const text = readFileSync(join(dirname(ready.countries_file), "functions.log"), "utf8");
  const lines = text.split("\n").filter((line) => line.includes(requestId));
  return lines.map((line) => v.parse(Line, JSON.parse(line)));
}

describe("the log of a request", () => {
  it("has its id, function, customer and trace, in the form that Cloud Logging reads", async () => {
    const trace = "0af7651916cd43dd8448eb211c80319c";
    const headers = { traceparent: `00-${trace}-b7ad6b7169203331-01` };
    const answer = await call("users", "GET", "/admin/maps", { key, headers });
    const id = answer.headers.get("x-request-id") ?? "";
    await expect
      .poll(() => linesOf(id))
      .toMatchObject([
        {
          severity: "INFO",
          requestId: id,
          function: "maps-list",
          uid: customer.uid,
          keyLabel: "storage",
          "logging.googleapis.com/trace": `projects/${ready.project}/traces/${trace}`,
          httpRequest: { requestMethod: "GET", requestUrl: "/admin/maps", status: 200 },
        },
      ]);
  });

  it("never contains a key, a token or the content of a body", async () => {
    const login = await call("users", "POST", "/login-with-apikey", { key });
    const { accessToken } = v.parse(LoginResponse, login.body);
    const wrongKey = "a1".repeat(32);
    const refused = await call("users", "POST", "/login-with-apikey", { key: wrongKey });
    const secret = "POLYGON((24.7 59.4, 24.8 59.4, 24.8 59.5, 24.7 59.4))";
    const bad = await call("data", "POST", `/data-agg?x=${encodeURIComponent(secret)}`, { key, body: { measure: secret } });
    const ids = [login, refused, bad].map(({ headers }) => headers.get("x-request-id") ?? "");
    await expect.poll(() => ids.map((id) => linesOf(id).length)).toEqual([2, 1, 1]);
    const logged = JSON.stringify(ids.flatMap(linesOf));
    for (const hidden of [key, wrongKey, accessToken, "POLYGON", "24.7"]) expect(logged).not.toContain(hidden);
  });
});
