import * as v from "valibot";
import type { Ready } from "../../local/ready-file.ts";

const Token = v.object({ access_token: v.string() });
const Listing = v.object({ items: v.optional(v.array(v.object({ name: v.string() })), []), nextPageToken: v.optional(v.string()) });

async function operatorsToken({ metadata_host }: Ready): Promise<string> {
  const url = `http://${metadata_host}/computeMetadata/v1/instance/service-accounts/default/token`;
  return v.parse(Token, await (await fetch(url, { headers: { "metadata-flavor": "Google" } })).json()).access_token;
}

/** Sends a request to a Google API as the operator: a GET, or a POST with a body. Throws unless the response is a success. */
export async function operatorRequest(ready: Ready, url: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${await operatorsToken(ready)}`, "content-type": "application/json" };
  const response = await fetch(url, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
  if (response.ok) return response;
  throw new Error(`${url} returned ${response.status} to the operator: ${await response.text()}`);
}

/** Returns the names of all objects of the export bucket below a prefix, read as the operator. */
export async function exportedNames(ready: Ready, prefix: string): Promise<string[]> {
  const names: string[] = [];
  let page: string | undefined = "";
  while (page !== undefined) {
    const query = new URLSearchParams({ prefix, pageToken: page });
    const url = `${ready.storage_endpoint}/storage/v1/b/${ready.export_bucket}/o?${query}`;
    const { items, nextPageToken } = v.parse(Listing, await (await operatorRequest(ready, url)).json());
    names.push(...items.map(({ name }) => name));
    page = nextPageToken;
  }
  return names;
}

/** Returns the content of an object of the export bucket. */
export async function exportedContent(ready: Ready, name: string): Promise<Buffer> {
  const path = name.split("/").map(encodeURIComponent).join("/");
  const response = await operatorRequest(ready, `${ready.storage_endpoint}/${ready.export_bucket}/${path}`);
  return Buffer.from(await response.arrayBuffer());
}
