import { expect, it } from "vitest";
import { clientKind } from "./client-kind.ts";

it.each([
  ["curl/8.7.1", "curl"],
  ["python-requests/2.32.3", "python"],
  ["Python-urllib/3.12", "python"],
  ["node", "node"],
  ["axios/1.7.9", "node"],
  ["Go-http-client/2.0", "go"],
  ["Java/21.0.1", "java"],
  ["okhttp/4.12.0", "java"],
  ["httr2/1.0.7 r-curl/6.0.1 libcurl/8.7.1", "r"],
  ["PostmanRuntime/7.43.0", "postman"],
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36", "browser"],
  ["Populus/1.0 (a person's laptop)", "other"],
  ["", "none"],
  [undefined, "none"],
])("the client %j is of the kind %s", (userAgent, kind) => {
  expect(clientKind(userAgent)).toBe(kind);
});
