import * as v from "valibot";
import { openTokens } from "../../shared/accounts/access-tokens.ts";
import { openCustomerDetails } from "../../shared/accounts/customers-admin.ts";
import { tokenRefusal } from "../../shared/accounts/key-grants.ts";
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
    "The token is valid for an hour. It reads the customer's folder of results in Cloud Storage, or with `service` = `warehouse` the customer's " +
    "datasets. The key must cover all the customer's countries, and for `warehouse` have that profile and the scope `realtime`. The API itself " +
    "takes the key, not the token.",
  auth: {},
  params: noInput,
  query: noInput,
  body: v.optional(LoginBody, {}),
  responses: { 200: LoginResponse },
  hasCredentials: true,
  dependencies: (config) => ({ tokens: openTokens(config), customers: openCustomerDetails(config) }),
  handler: async ({ body: { service }, caller }, { tokens, customers }, { audit }) => {
    const customer = await customers(caller.uid);
    const refusal = tokenRefusal(service, caller, customer.countries);
    if (refusal !== undefined) throw new ServiceError("permission_denied", refusal);
    const { accessToken, expireTime } = await tokens.mint(customer, service);
    audit("token.mint", service);
    return reply(200, { accessToken, userId: caller.uid, expireTime: expireTime.toISOString() });
  },
});
