import * as v from "valibot";
import { openTokens } from "../../shared/accounts/access-tokens.ts";
import { LoginBody, LoginResponse } from "../../shared/accounts/login-schemas.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { ServiceError } from "../../shared/http/errors.ts";

export default defineEndpoint({
  file: "auth/login",
  api: "users",
  method: "POST",
  path: "/login-with-apikey",
  summary: "Exchange an API key for an OAuth access token",
  description:
    "The token is valid for an hour. It reads the customer's folder of results in Cloud Storage, or with `service` = `warehouse` the customer's datasets. The API itself takes the key, not the token.",
  auth: {},
  params: noInput,
  query: noInput,
  body: v.optional(LoginBody, {}),
  responses: { 200: LoginResponse },
  hasCredentials: true,
  dependencies: (config) => ({ tokens: openTokens(config) }),
  handler: async ({ body: { service }, caller }, { tokens }, { audit }) => {
    if (service === "warehouse" && caller.service !== "warehouse")
      throw new ServiceError(
        "permission_denied",
        "This key has the storage profile; a warehouse token needs a key with the warehouse profile",
      );
    const { accessToken, expireTime } = await tokens.mint(caller.uid, service);
    audit("token.mint", service);
    return reply(200, { accessToken, userId: caller.uid, expireTime: expireTime.toISOString() });
  },
});
