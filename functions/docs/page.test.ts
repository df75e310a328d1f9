import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ready } from "../../infra/testing/service.ts";

const base = { users: ready.users_base_url, data: ready.data_base_url };

/** Returns the texts of a page between the tags of a kind. */
function inline(page: string, tag: "script" | "style"): string[] {
  return [...page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, "g"))].map(([, text = ""]) => text);
}

function hashes(texts: readonly string[]): string {
  return texts.map((text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`).join(" ");
}

describe.each(["users", "data"] as const)("the page of the %s API", (api) => {
  it("needs no key, and shows the document beside it with Swagger UI", async () => {
    const response = await fetch(`${base[api]}/docs`);
    expect({ status: response.status, type: response.headers.get("content-type") }).toEqual({ status: 200, type: "text/html" });
    const page = await response.text();
    expect(page).toContain(`<title>Populus ${api === "users" ? "Users" : "Data"} API</title>`);
    const [code, start] = inline(page, "script");
    expect(code?.length).toBeGreaterThan(1_000_000);
    expect(start).toContain('url: "openapi.json"');
    expect(inline(page, "style").join()).toContain(".swagger-ui");
  });

  it("allows its own texts by their hashes, requests to its own API, and nothing else", async () => {
    const response = await fetch(`${base[api]}/docs`);
    const page = await response.text();
    expect(response.headers.get("content-security-policy")?.split("; ")).toEqual([
      "default-src 'none'",
      `script-src ${hashes(inline(page, "script"))}`,
      `style-src ${hashes(inline(page, "style"))}`,
      "img-src data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    // What a browser would load from elsewhere; the policy would refuse it.
    expect(page.replaceAll(/<(script|style)>[\s\S]*?<\/\1>/g, "")).not.toMatch(/\b(?:src|href)="(?!data:)/);
  });

  it.each([
    ["gzip, deflate, br", "gzip"],
    ["*", "gzip"],
    ["br;q=1, gzip;q=0.5", "gzip"],
    ["identity, gzip;q=0.5", null],
    ["gzip;q=0", null],
    ["gzip; q=0.000", null],
    ["identity", null],
  ])("is compressed for clients that accept it: %s", async (accepted, encoding) => {
    const response = await fetch(`${base[api]}/docs`, { headers: { "accept-encoding": accepted } });
    expect(response.headers.get("content-encoding")).toBe(encoding);
    expect(response.headers.get("vary")).toBe("Origin, Accept-Encoding");
    expect(await response.text()).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
  });
});
