/** The kinds of clients that are told apart, and what their User-Agent looks like; the first that matches counts. */
const KINDS = [
  ["curl", /^curl\//i],
  ["python", /python|aiohttp|httpx/i],
  ["node", /^(?:node|undici|axios|got|node-fetch)\b/i],
  ["go", /^go-http-client/i],
  ["java", /^java|okhttp|apache-httpclient/i],
  ["r", /\br-curl\b|^httr2?\b/i],
  ["postman", /^postmanruntime/i],
  ["browser", /^mozilla\//i],
] as const satisfies readonly (readonly [string, RegExp])[];

/** The kinds of clients in an answer: `none` sent no User-Agent. */
export const CLIENT_KINDS = [...KINDS.map(([kind]) => kind), "other", "none"] as const;
export type ClientKind = (typeof CLIENT_KINDS)[number];

/** Returns the kind of client of a User-Agent. Kept instead of its text, which can identify a person's device. */
export function clientKind(userAgent: string | undefined): ClientKind {
  if (userAgent === undefined || userAgent.trim() === "") return "none";
  return KINDS.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? "other";
}
