import type { Endpoint } from "../http/define-endpoint.ts";

interface Tag {
  readonly name: string;
  readonly description: string;
}

/** The tags, by folder below `functions/`. A tag groups operations in readers, and names the classes of generated clients. */
const TAGS: Readonly<Record<string, Tag>> = {
  auth: { name: "Login", description: "Exchange an API key for an OAuth access token" },
  customers: { name: "Customer", description: "The customer of a key: its limits, its usage, its personal dataset" },
  "machine-accounts": { name: "Machine accounts", description: "The customer's API keys" },
  maps: { name: "Maps", description: "The areas that a customer is interested in: polygons, or lists of standard geographies" },
  realtime: { name: "Realtime", description: "Headcounts of monitored maps, every five minutes" },
  aggregation: { name: "Aggregation", description: "Questions about past days: previews, and jobs with exports" },
  countries: { name: "Countries", description: "What each country offers" },
  availability: { name: "Data availability", description: "The days that have data" },
  geographies: { name: "Geographies", description: "The cells and areas that data is counted in" },
  docs: { name: "Documentation", description: "This document, and a page to read and try it" },
};

/** Returns the tag of an endpoint. Throws for a folder without one. */
export function tagOf({ file }: Endpoint): Tag {
  const [folder = ""] = file.split("/");
  const tag = TAGS[folder];
  if (!tag) throw new Error(`functions/${folder} has no tag in the OpenAPI documents: add one to shared/openapi/tags.ts`);
  return tag;
}
