import * as v from "valibot";
import { parseInsert } from "./object-input.ts";
import { contentSettingsSchema, type ObjectMetadata } from "./object-metadata.ts";
import type { ObjectStore } from "./object-store.ts";
import { openContent } from "./open-content.ts";
import type { ObjectAddress } from "./operation.ts";
import { queryConditions } from "./request-conditions.ts";
import { queryNumber } from "./request-target.ts";
import { notImplemented } from "./storage-fault.ts";

/**
 * Copies an object, for `rewrite` (always done in one call) and `copy`. A resource in the body replaces the source's settings. Throws 400,
 * 404 and 412.
 */
export async function copyObject(
  store: ObjectStore,
  from: ObjectAddress,
  to: ObjectAddress,
  query: URLSearchParams,
  resource: string,
): Promise<ObjectMetadata> {
  for (const name of query.keys())
    if (/^(ifSource|destination|rewriteToken|maxBytes)/.test(name)) throw notImplemented(`The parameter ${name}`);
  const { settings } = parseInsert(resource);
  const { file, metadata } = await openContent(store, from.bucket, from.name, queryNumber(query, "sourceGeneration"));
  try {
    const chosen =
      Object.keys(settings).length === 0 ? v.parse(contentSettingsSchema, metadata) : { contentType: metadata.contentType, ...settings };
    const draft = await store.create(to.bucket, to.name, { ...chosen, preconditions: queryConditions(query) });
    await draft.receiveWhole(file.createReadStream({ autoClose: false }));
    return await draft.commit({ crc32c: metadata.crc32c });
  } finally {
    await file.close();
  }
}
