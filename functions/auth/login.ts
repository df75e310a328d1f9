import * as v from "valibot";
import { openTokens } from "../../shared/cloud/tokens.ts";
import { defineEndpoint, nothing, reply } from "../../shared/endpoint/define.ts";
import { ServiceError } from "../../shared/errors.ts";
import { LoginBody, LoginResponse } from "../../shared/schemas/login.ts";

export default defineEndpoint({
  file: "auth/login",
  api: "users",
  method: "POST",
  path: "/login-with-apikey",
  summary: "Exchange an API key for an OAuth access token",
  auth: {},
  params: nothing,
  query: nothing,
  body: v.optional(LoginBody, {}),
  responses: { 200: LoginResponse },
  uses: (config) => ({ tokens: openTokens(config) }),
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
