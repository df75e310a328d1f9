import { OAuth2Client } from "google-auth-library";
import type { Config } from "../runtime/config.ts";

/** The `Authorization` header of a token. */
export function authorizationOf(accessToken: string): string {
  return `Bearer ${accessToken}`;
}

/**
 * Returns the credentials of an HTTP client: a token, if the configuration has one. Without it the client asks the platform, which gives it
 * the token of the function's account.
 */
export function httpCredentials({ accessToken }: Config): { authClient?: OAuth2Client } {
  return accessToken === undefined ? {} : { authClient: new OAuth2Client({ credentials: { access_token: accessToken } }) };
}
