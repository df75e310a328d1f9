import type * as v from "valibot";
import type { CountryRules, DistanceRule, GeoType } from "../countries/country-rules.ts";
import type { Labels, Warehouse } from "../google/bigquery.ts";
import type { Statement } from "../google/statement.ts";
import type { FactTable } from "../publishing/fact-table.ts";
import type { ValueColumn } from "./columns.ts";
import type { ProductQuery } from "./product-query.ts";
import type { StoredRequest } from "./request-fields.ts";
import type { DataVersions, ResultMeta } from "./result-meta.ts";

/** How many geographies of a type a country has. */
export type CountGeographies = (country: string, geoType: string) => Promise<number>;

/** A request as it was sent, of whichever product: a type alias, since a schema of a variant gives nothing else. */
export type IncomingRequest = {
  readonly agg_type: string;
  /** The country as it was named; undefined stands for the customer's default. */
  readonly country_code: string | undefined;
  /** Whether a deprecated parameter was used. */
  readonly deprecated: boolean;
  /** The parsed body: two submissions under one Idempotency-Key must have the same. */
  readonly body: object;
  /** Throws `unsupported_combination` or `invalid_argument` for what the country does not offer. */
  readonly accept: (code: string, country: CountryRules, now: Date) => AcceptedRequest;
};

/** A request that a country offers, before what it stands for is looked up. */
export interface AcceptedRequest {
  /** Whether `resolve` asks the warehouse. */
  readonly needsLookup: boolean;
  /** Throws `not_found` where there is nothing of what the request asks for. */
  readonly resolve: (warehouse: Pick<Warehouse, "query">, labels: Labels) => Promise<PreparedRequest>;
  /** The statements of `resolve`. */
  readonly lookups: readonly Statement[];
  /** The request with any value for what is looked up, for an estimate. */
  readonly unresolved: PreparedRequest;
}

/** A request of a product with all that can be done with it: nobody outside has to know which product it is. */
export interface PreparedRequest {
  readonly request: StoredRequest;
  readonly country: CountryRules;
  readonly query: () => ProductQuery;
  /** The same for the part of the window before a time (ISO 8601). */
  readonly queryUntil: (end: string) => ProductQuery;
  /** The rows of a result at most. */
  readonly rowsMax: (count: CountGeographies) => Promise<number>;
  /** The members of the request that a preview repeats. */
  readonly previewFields: Readonly<Record<string, unknown>>;
}

/** The answer to a preview. */
export type Preview = {
  readonly agg_type: string;
  readonly country_code: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly truncated: boolean;
  readonly results: unknown[];
  readonly meta: ResultMeta;
  readonly data_versions: v.InferOutput<typeof DataVersions>;
};

/** A product as the rest of the service sees it. */
export interface Product {
  readonly name: string;
  readonly dataset: string;
  readonly noPreview: string | undefined;
  /** The offer of a country's rules; undefined when it does not offer the product. Throws for one that is not well formed. */
  readonly offer: v.GenericSchema;
  readonly geoTypes: (country: CountryRules) => readonly GeoType[];
  readonly distance: (country: CountryRules) => DistanceRule;
  readonly columns: Readonly<Record<string, ValueColumn>>;
  readonly measures: readonly string[];
  readonly tables: readonly FactTable[];
  readonly row: v.GenericSchema;
  readonly storedRow: v.GenericSchema;
  /** The answer of the preview. */
  readonly preview: v.GenericSchema<Preview>;
  /** A stored request, prepared; undefined when the country does not offer the product any more. Throws for a request of another product. */
  readonly open: (request: unknown, country: CountryRules) => PreparedRequest | undefined;
  readonly examples: (country: CountryRules) => Readonly<Record<string, PreparedRequest>>;
}
