import * as v from "valibot";
import { type CountryRules, type DistanceRule, GEO_TYPES, type GeoType } from "../countries/country-rules.ts";
import type { Labels, Warehouse } from "../google/bigquery.ts";
import type { Statement } from "../google/statement.ts";
import { Timestamp } from "../http/fields.ts";
import type { FactTable, Publication, Reference } from "../publishing/fact-table.ts";
import type { ValueColumn } from "./columns.ts";
import type { ProductQuery } from "./product-query.ts";
import type { askedRequest, StoredRequest } from "./request-fields.ts";
import { DataVersions, FORMS, type Form, Kind, kindOf, ResultMeta, schemaName } from "./result-meta.ts";
import { Warnings } from "./result-warnings.ts";
import type { SummaryRow } from "./summary.ts";
import type { PreviewSpan } from "./time-window.ts";

/** Returns the number of geographies of a type in a country. */
export type CountGeographies = (country: string, geoType: string) => Promise<number>;

/** A request of any product as it was sent. A type alias, because the schema of a variant needs one. */
export type IncomingRequest = {
  readonly agg_type: string;
  /** The country as sent; undefined means the customer's default. */
  readonly country_code: string | undefined;
  /** Whether a deprecated parameter was used. */
  readonly deprecated: boolean;
  /** The parsed body, without the names of its window. Two submissions with one Idempotency-Key must have equal bodies. */
  readonly body: object;
  /** Throws `unsupported_combination` or `invalid_argument` if the country does not offer the request. */
  readonly accept: (code: string, country: CountryRules, now: Date) => AcceptedRequest;
};

/** A request that a country offers, before its lookups. */
export interface AcceptedRequest {
  /** Whether `resolve` queries the warehouse. */
  readonly needsLookup: boolean;
  /** Throws `not_found` if a lookup finds nothing. */
  readonly resolve: (warehouse: Pick<Warehouse, "query">, labels: Labels) => Promise<PreparedRequest>;
  /** The statements of `resolve`. */
  readonly lookups: readonly Statement[];
  /** The request with a placeholder for each looked-up value, for an estimate. */
  readonly unresolved: PreparedRequest;
}

/** A request with its product's operations, so that callers need not know the product. */
export interface PreparedRequest {
  readonly request: StoredRequest;
  readonly country: CountryRules;
  readonly query: () => ProductQuery;
  readonly preview: () => PreparedPreview;
  /** Returns the maximum number of rows of the result. */
  readonly rowsMax: (count: CountGeographies) => Promise<number>;
}

/** The members of a preview's response that differ by product and form. */
type PreviewMembers = Readonly<Record<string, unknown>> & Pick<Preview, "kind">;

/** A synchronous preview of a request. */
export interface PreparedPreview {
  readonly span: PreviewSpan;
  /** The end of the span, ISO 8601. The window may end before it. */
  readonly spanEnd: string;
  /** The query of what the preview shows. */
  readonly query: ProductQuery;
  /** Returns the maximum number of rows that it shows. */
  readonly rowsMax: (count: CountGeographies) => Promise<number>;
  /** Returns the product's own members of the response: its rows, in the form that the request asks for, and what it looked up. */
  readonly members: (summary: SummaryRow) => PreviewMembers;
}

/** The response to a preview: these members and the product's own. */
export type Preview = {
  readonly [member: string]: unknown;
  readonly agg_type: string;
  readonly kind: string;
  readonly country_code: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly truncated: boolean;
  readonly meta: ResultMeta;
  readonly data_versions: v.InferOutput<typeof DataVersions>;
  readonly warnings: v.InferOutput<typeof Warnings>;
};

/** An option of a variant: a schema of a response whose `kind` no other has. */
type PreviewSchema = v.GenericSchema<Preview> & v.VariantOptions<"kind">[number];

const Truncated = v.pipe(
  v.boolean(),
  v.description(
    "Whether something is left out: what the window holds after its first 24 hours, or for odm after its first civil day; or rows of odm beyond 5,000",
  ),
);

/** The schema of a preview's response with the product's own members, in one form. */
function previewSchema(name: string, form: Form, entries: v.ObjectEntries) {
  return v.pipe(
    v.strictObject({
      agg_type: v.literal(name),
      kind: Kind(kindOf(name, form)),
      country_code: v.string(),
      start_time: Timestamp,
      end_time: Timestamp,
      truncated: Truncated,
      ...entries,
      meta: ResultMeta,
      data_versions: DataVersions,
      warnings: Warnings,
    }),
    v.title(schemaName(name, form === "rows" ? "Preview" : "Columns")),
  );
}

/** Returns the schemas of a preview's response, one for each form that a product has. */
export function previewSchemas(name: string, forms: Readonly<Partial<Record<Form, v.ObjectEntries>>>): PreviewSchema[] {
  return FORMS.flatMap((form) => (forms[form] ? [previewSchema(name, form, forms[form])] : []));
}

/** What requests of a product can ask for in a country. */
export const ProductOffer = v.pipe(
  v.strictObject({
    agg_type: v.string(),
    geo_types: v.pipe(v.array(v.picklist(GEO_TYPES)), v.description("The geography types of requests")),
    hourly_geo_types: v.pipe(
      v.array(v.picklist(GEO_TYPES)),
      v.description("Those of them that have hours: for activity_type hourly, and for measures that a day takes over its hours"),
    ),
    measures: v.pipe(
      v.array(v.string()),
      v.description("The values of measure; empty if it only names the export folder, or is not asked for"),
    ),
    activity_types: v.pipe(v.array(v.string()), v.description("The values of activity_type; empty if requests have no such field")),
    mixed: v.pipe(v.boolean(), v.description("Whether origins and destinations may be of different types")),
  }),
  v.title("ProductOffer"),
);
type ProductOffer = v.InferOutput<typeof ProductOffer>;

/** A fact table in a product's definition. Its publishing rules derive from `columns`. */
export interface TableDefinition extends Omit<FactTable, "bucket" | "publication">, Pick<Publication, "nesting" | "byClass"> {
  readonly bucket?: "hour" | "day";
  readonly references: readonly Reference[];
}

/** A product's interface to the rest of the service. */
export interface Product {
  readonly name: string;
  readonly dataset: string;
  /** The schema of the product's entry in a country's rules. */
  readonly offer: v.GenericSchema;
  readonly geoTypes: (country: CountryRules) => readonly GeoType[];
  /** Returns what requests can ask for in a country. Undefined if it does not offer the product. */
  readonly describe: (country: CountryRules) => ProductOffer | undefined;
  readonly distance: (country: CountryRules) => DistanceRule;
  /** Returns the step of the product's published counts in a country. */
  readonly step: (country: CountryRules) => number;
  readonly columns: Readonly<Record<string, ValueColumn>>;
  readonly measures: readonly string[];
  readonly tables: readonly FactTable[];
  /** The schema of its requests in responses. */
  readonly asked: ReturnType<typeof askedRequest>;
  readonly row: v.GenericSchema;
  readonly storedRow: v.GenericSchema;
  /** The schemas of a preview's response, one per form of the rows. */
  readonly previews: readonly PreviewSchema[];
  /** Prepares a stored request. Returns undefined if the country no longer offers the product. Throws for a request of another product. */
  readonly open: (request: unknown, country: CountryRules) => PreparedRequest | undefined;
  readonly examples: (country: CountryRules) => Readonly<Record<string, PreparedRequest>>;
}
