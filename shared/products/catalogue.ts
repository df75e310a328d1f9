import * as v from "valibot";
import type { CountryRules, DistanceRule, GeoType } from "../countries/country-rules.ts";
import type { FactTable } from "../publishing/fact-table.ts";
import { activities } from "./activities.ts";
import { flow } from "./flow.ts";
import { odm } from "./odm.ts";
import type { PreparedRequest, Product } from "./product.ts";
import type { StoredRequest } from "./request-fields.ts";
import { schemasOf } from "./schemas-of.ts";

/** All products, a line each. Everything that depends on which products there are derives from this list. */
const definitions = [activities, odm, flow] as const;

export const PRODUCTS: readonly Product[] = definitions.map(({ product }) => product);
export const PRODUCT_NAMES: readonly string[] = PRODUCTS.map(({ name }) => name);

/** The body of `POST /data-agg`: one variant a product, told apart by `agg_type`. */
export const AggregationBody = v.variant("agg_type", schemasOf(definitions, "body"));

/** The query of `GET /data-agg`, of the products that have a preview. */
export const PreviewQuery = v.variant("agg_type", schemasOf(definitions, "query"), ({ expected, received }) => {
  const refused = PRODUCTS.find(({ name, noPreview }) => noPreview !== undefined && received === JSON.stringify(name));
  return refused?.noPreview ?? `Invalid type: Expected ${expected} but received ${received}`;
});

/** A row of a result, whichever its product; rows that take any further members last, since they would take those of others. */
export const ResultRow = v.union(
  PRODUCTS.map(({ row }) => row).toSorted((a, b) => Number(a.type === "object_with_rest") - Number(b.type === "object_with_rest")),
);

/** The answer to a preview, whichever its product. */
export const PreviewResponse = v.union(PRODUCTS.flatMap(({ preview, noPreview }) => (noPreview === undefined ? [preview] : [])));

/** The fact tables of all products, in the order of their names. */
export const FACT_TABLES: readonly FactTable[] = PRODUCTS.flatMap(({ tables }) => tables).toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** The columns of values in the fact tables of all products. */
export const VALUE_COLUMNS: readonly string[] = PRODUCTS.flatMap(({ columns }) => Object.keys(columns));

/** The datasets of data availability, in the order of their names. */
export const DATASETS: readonly string[] = PRODUCTS.map(({ dataset }) => dataset).toSorted();

/** The dataset that each fact table belongs to. */
export const DATASET_OF_TABLE: ReadonlyMap<string, string> = new Map(
  PRODUCTS.flatMap(({ dataset, tables }) => tables.map(({ name }) => [name, dataset] as const)),
);

/** The product of a stored request. Throws for one that the service does not have. */
export function productOf({ agg_type }: Pick<StoredRequest, "agg_type">): Product {
  const product = PRODUCTS.find(({ name }) => name === agg_type);
  if (!product) throw new Error(`${agg_type} is not a product`);
  return product;
}

/** A stored request, prepared; undefined when its country does not offer the product any more. */
export function openRequest(request: StoredRequest, country: CountryRules): PreparedRequest | undefined {
  return productOf(request).open(request, country);
}

/** The geography types that some product of a country lets one ask for. */
export function geoTypesOfProducts(country: CountryRules): ReadonlySet<GeoType> {
  return new Set(PRODUCTS.flatMap(({ geoTypes }) => geoTypes(country)));
}

/** How a country models the distance of a pair. */
export function distanceRule(country: CountryRules): DistanceRule {
  return PRODUCTS.map(({ distance }) => distance(country)).find((rule) => rule !== "none") ?? "none";
}
