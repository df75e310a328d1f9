import { at, type Fields, fields, items, text } from "../json.ts";
import { conflict, invalid, notFound } from "../refusal.ts";
import type { Store } from "../store.ts";

/** Answers Cloud DNS: the records of a zone, which are made by changes. */
export function dns(store: Store, method: string, path: string, query: URLSearchParams, body: Fields): Fields {
  const [, name = "", rest = ""] = /^(projects\/[^/]+\/managedZones\/[^/]+)\/?(.*)$/.exec(path) ?? [];
  const zone = store.resources.get(`dns.googleapis.com/${name}`);
  if (!zone) throw notFound(`The zone ${name} does not exist`);
  const records = `dns.googleapis.com/${name}/rrsets`;
  if (rest === "rrsets") {
    const matches = (record: Fields, field: string): boolean => !query.has(field) || query.get(field) === record[field];
    return { rrsets: store.listed(records).filter((record) => matches(record, "name") && matches(record, "type")) };
  }
  if (rest.startsWith("changes/")) return { id: rest.slice("changes/".length), status: "done" };
  if (rest !== "changes" || method !== "POST") return zone;
  for (const one of items(body.deletions)) store.resources.delete(`${records}/${text(at(one, "name"))} ${text(at(one, "type"))}`);
  for (const one of items(body.additions).map(fields)) {
    const record = `${records}/${text(one.name)} ${text(one.type)}`;
    if (!text(one.name).endsWith(text(zone.dnsName))) throw invalid(`${text(one.name)} is not in the zone ${text(zone.dnsName)}`);
    if (store.resources.has(record)) throw conflict("ALREADY_EXISTS", `${record} exists`);
    store.resources.set(record, one);
  }
  return { ...body, id: store.nextNumber(), status: "done" };
}
