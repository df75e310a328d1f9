import * as v from "valibot";
import { call } from "./client.ts";

/** Limits, or what is used of them. More of them may come: the page shows those that it knows. */
const Counts = v.record(v.string(), v.unknown());

const PersonalDataset = v.object({ state: v.picklist(["none", "requested", "ready"]), dataset: v.nullable(v.string()) });
export type PersonalDataset = v.InferOutput<typeof PersonalDataset>;

const Me = v.object({
  uid: v.string(),
  name: v.string(),
  keyLabel: v.string(),
  service: v.string(),
  scopes: v.array(v.string()),
  countries: v.array(v.string()),
  defaultCountry: v.string(),
  machineAccountAdmin: v.boolean(),
  allow: v.object({ scopes: v.array(v.string()), profiles: v.array(v.string()) }),
  expiresAt: v.nullable(v.string()),
  limits: Counts,
  usage: Counts,
  personalDataset: PersonalDataset,
});

export type Me = v.InferOutput<typeof Me>;

const Product = v.object({
  agg_type: v.string(),
  geo_types: v.array(v.string()),
  /** Those of them that have hours. */
  hourly_geo_types: v.array(v.string()),
  measures: v.array(v.string()),
  activity_types: v.array(v.string()),
  mixed: v.boolean(),
});

export type Product = v.InferOutput<typeof Product>;

const Country = v.object({
  country_code: v.string(),
  name: v.string(),
  time_zone: v.string(),
  k: v.number(),
  profile: v.picklist(["standard", "strict"]),
  /** The most days of a request. */
  window_days_max: v.number(),
  /** West, south, east, north. */
  extent: v.nullable(v.tuple([v.number(), v.number(), v.number(), v.number()])),
  products: v.array(Product),
});

export type Country = v.InferOutput<typeof Country>;

/** What the key may do. */
export function fetchMe(): Promise<Me> {
  return call("users", "/users/me", Me);
}

/** The countries of the key, and what each offers. */
export async function fetchCountries(): Promise<Country[]> {
  const { countries } = await call("data", "/countries", v.object({ countries: v.array(Country) }));
  return countries;
}

/** Requests the personal dataset of scenario B. */
export function requestPersonalDataset(uid: string): Promise<PersonalDataset> {
  return call("users", `/users/${uid}/personal-dataset`, PersonalDataset, { method: "POST" });
}

export function fetchPersonalDataset(uid: string): Promise<PersonalDataset> {
  return call("users", `/users/${uid}/personal-dataset`, PersonalDataset);
}
