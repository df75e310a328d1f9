/** Returns the token of an `Authorization` header with the scheme Bearer, which may be written in any case. Undefined for any other header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)\s*$/i.exec(authorization ?? "")?.[1];
}
