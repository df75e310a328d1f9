import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isKey } from "../../shared/accounts/api-key.ts";
import { ROOT } from "../documents/pages.ts";

const KEY = "0123456789abcdef".repeat(4);
const limits = readFileSync(join(ROOT, "terraform/modules/load-balancer/limits.tf"), "utf8");

/** The keys that the load balancer's rule counts by their text. All other requests are counted by address. */
const counted = [...limits.matchAll(/headers\['x-api-key'\]\.matches\('([^']+)'\)/g)].map(([, pattern = ""]) => new RegExp(pattern, "v"));

it.each([KEY, KEY.toUpperCase(), `${KEY.slice(1)}F`, KEY.slice(1), `${KEY}0`, `${KEY.slice(1)}g`, ""])(
  "the load balancer counts by key what functions read as a key: %j",
  (text) => {
    expect(counted).toHaveLength(1);
    expect(counted[0]?.test(text)).toBe(isKey(text));
  },
);
