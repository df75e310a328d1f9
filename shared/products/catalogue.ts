import * as v from "valibot";
import type { CountryRules, DistanceRule, GeoType } from "../countries/country-rules.ts";
import type { FactTable } from "../publishing/fact-table.ts";
import { activities } from "./activities.ts";
import { flow } from "./flow.ts";
import { odm } from "./odm.ts";
import type { PreparedRequest, Product } from "./product.ts";
import type { StoredRequest } from "./request-fields.ts";

/** All products. Everything that depends on the set of products derives from this list. */
const definitions = [activities, odm, flow] as const;

export const PRODUCTS: readonly Product[] = definitions.map(({ product }) => product);
export const PRODUCT_NAMES: readonly string[] = PRODUCTS.map(({ name }) => name);

/** The body of `POST /data-agg`: one variant per product, selected by `agg_type`. */
export const AggregationBody = v.pipe(
  v.variant(
    "agg_type",
    definitions.map(({ body }) => body),
  ),
  v.metadata({ title: "AggregationRequest", discriminator: { propertyName: "agg_type" } }),
);

/** The query of `GET /data-agg`: one variant per product. */
export const PreviewQuery = v.variant(
  "agg_type",
  definitions.map(({ query }) => query),
);

/** The request of a job, in responses. */
export const JobRequest = v.pipe(
  v.variant(
    "agg_type",
    PRODUCTS.map(({ asked }) => asked),
  ),
  v.metadata({ title: "JobRequest", discriminator: { propertyName: "agg_type" } }),
  v.description("As the service read it, with every default. POST /data-agg takes it"),
);

/** Returns a stored request as `POST /data-agg` takes it: without what was looked up, and with ids left out instead of null. */
export function askedOf(request: StoredRequest): v.InferOutput<typeof JobRequest> {
  return v.parse(JobRequest, Object.fromEntries(Object.entries(request).filter(([, value]) => value !== null)));
}

/** The response to a preview of any product. `agg_type` cannot tell its forms apart: Activities have two. */
export const PreviewResponse = v.pipe(
  v.variant(
    "kind",
    PRODUCTS.flatMap(({ previews }) => previews),
  ),
  v.metadata({ title: "Preview", discriminator: { propertyName: "kind" } }),
);

/** The fact tables of all products, ordered by name. */
export const FACT_TABLES: readonly FactTable[] = PRODUCTS.flatMap(({ tables }) => tables).toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** The value columns in the fact tables of all products. */
export const VALUE_COLUMNS: readonly string[] = PRODUCTS.flatMap(({ columns }) => Object.keys(columns));

/** The datasets of data availability, ordered by name. */
export const DATASETS: readonly string[] = PRODUCTS.map(({ dataset }) => dataset).toSorted();

/** The dataset that each fact table belongs to. */
export const DATASET_OF_TABLE: ReadonlyMap<string, string> = new Map(
  PRODUCTS.flatMap(({ dataset, tables }) => tables.map(({ name }) => [name, dataset] as const)),
);

/** Returns the product of a stored request. Throws for an unknown product. */
export function productOf({ agg_type }: Pick<StoredRequest, "agg_type">): Product {
  const product = PRODUCTS.find(({ name }) => name === agg_type);
  if (!product) throw new Error(`${agg_type} is not a product`);
  return product;
}

/** Returns the product of a fact table, or undefined for another table. */
export function productOfTable(table: string): Product | undefined {
  return PRODUCTS.find(({ tables }) => tables.some(({ name }) => name === table));
}

/** Prepares a stored request. Returns undefined if its country no longer offers the product. */
export function openRequest(request: StoredRequest, country: CountryRules): PreparedRequest | undefined {
  return productOf(request).open(request, country);
}

/** Returns the geography types that the products of a country accept in requests. */
export function geoTypesOfProducts(country: CountryRules): ReadonlySet<GeoType> {
  return new Set(PRODUCTS.flatMap(({ geoTypes }) => geoTypes(country)));
}

/**
 * Returns the geography types by which areas nest in a country: those of the products that count in areas, and without any of these those of all
 * products. Pairs of a finer type do not make the areas' finest type a coarser one.
 */
export function geoTypesOfAreas(country: CountryRules): readonly GeoType[] {
  const types = PRODUCTS.filter(({ tables }) => tables.some(({ publication }) => publication.nesting === "areas")).flatMap(({ geoTypes }) =>
    geoTypes(country),
  );
  return types.length > 0 ? types : [...geoTypesOfProducts(country)];
}

/** Returns whether a country has road links. */
export function hasRoads(country: CountryRules): boolean {
  return flow.product.describe(country) !== undefined;
}

/** Returns how a country models the distance of a pair. */
export function distanceRule(country: CountryRules): DistanceRule {
  return PRODUCTS.map(({ distance }) => distance(country)).find((rule) => rule !== "none") ?? "none";
}
