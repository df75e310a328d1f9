import * as v from "valibot";
import type { CountryRules, DistanceRule, GeoType } from "../countries/country-rules.ts";
import type { Labels, Warehouse } from "../google/bigquery.ts";
import type { Statement } from "../google/statement.ts";
import { invalidFields } from "../http/errors.ts";
import { Timestamp } from "../http/fields.ts";
import type { FactTable, Reference } from "../publishing/fact-table.ts";
import { publicationOf, type ValueColumn } from "./columns.ts";
import type { CountGeographies, IncomingRequest, PreparedRequest, Product } from "./product.ts";
import type { ProductQuery } from "./product-query.ts";
import type { StoredRequest } from "./request-fields.ts";
import { DataVersions, ResultMeta } from "./result-meta.ts";

type RequestSchema = v.VariantOptions<"agg_type">[number];

/** A fact table as a definition tells of it; what publishing needs to know of its columns follows from `columns`. */
interface TableDefinition extends Omit<FactTable, "bucket" | "publication"> {
  readonly bucket?: "hour" | "day";
  readonly references: readonly Reference[];
  readonly nesting?: "areas" | "pairs";
}

/** The members of a parsed body that all products have. */
interface Body {
  readonly agg_type: string;
  readonly country_code?: string | undefined;
  /** Whether a deprecated parameter was used. */
  readonly deprecated?: boolean;
}

interface Definition<
  BodySchema extends RequestSchema & v.GenericSchema<unknown, Body>,
  QuerySchema extends (RequestSchema & v.GenericSchema<unknown, v.InferOutput<BodySchema>>) | undefined,
  Request extends StoredRequest,
  Offer,
  Row,
> {
  /** `agg_type`, its key in a country's rules, and the beginning of its export folders. */
  readonly name: string;
  /** Its name in data availability. */
  readonly dataset: string;
  /** Its part of a country's rules, in the words of `countries.json`. */
  readonly offer: v.GenericSchema<unknown, Offer>;
  /** The geography types that an offer lets one ask for. */
  readonly geoTypes: (offer: Offer) => readonly GeoType[];
  /** How an offer models the distance of a pair. Left out: not at all. */
  readonly distance?: (offer: Offer) => DistanceRule;
  /** The JSON body of `POST /data-agg`. */
  readonly body: BodySchema;
  /** The query string of the preview; it gives what a body gives. Undefined: there is no preview, for `noPreview`. */
  readonly query: QuerySchema;
  readonly noPreview?: string;
  /** The members of the request that a preview repeats, besides the country and the window. */
  readonly previewFields?: v.ObjectEntries;
  /** The request as it is stored with a job. */
  readonly request: v.GenericSchema<unknown, Request>;
  /** A row in a response. */
  readonly row: v.GenericSchema<Row>;
  /** A row as the warehouse gives it and a job keeps it; it gives a `row`. */
  readonly storedRow: v.GenericSchema<unknown, Row>;
  readonly columns: Readonly<Record<string, ValueColumn>>;
  /** The names that `measure` may have. Left out: any that can name an export's folder. */
  readonly measures?: readonly string[];
  readonly tables: readonly TableDefinition[];
  /** The stored request that a body stands for. Throws `unsupported_combination` or `invalid_argument` for what the country does not offer. */
  readonly accept: (acceptance: Acceptance<v.InferOutput<BodySchema>, Offer>) => Request;
  /** Looks up what the request stands for, once, when it is accepted. Until then any value stands for it, as in an estimate. */
  readonly lookup?: {
    readonly statements: (request: Request) => readonly Statement[];
    readonly run: (request: Request, warehouse: Pick<Warehouse, "query">, labels: Labels) => Promise<Request>;
  };
  readonly statement: (request: Request, country: CountryRules, offer: Offer) => ProductQuery;
  /** The rows of a result at most. It depends on the request and the geographies alone, so it tells nothing of who is where. */
  readonly rowsMax: (request: Request, country: CountryRules, count: CountGeographies) => Promise<number>;
  /** Requests that reach every branch of `statement`, by name, for the SQL corpus. `offer` is the country's; the sample's when left out. */
  readonly examples: Readonly<Record<string, { readonly request: Request; readonly offer?: Offer }>>;
}

/** What a request means in one country, before anything is looked up. */
interface Acceptance<ParsedBody, Offer> {
  readonly body: ParsedBody;
  /** The country's ISO 3166-1 alpha-3 code. */
  readonly code: string;
  readonly offer: Offer;
  readonly now: Date;
}

const Truncated = v.pipe(v.boolean(), v.description("Whether the window is longer than the 24 hours from its start that are shown"));

/**
 * Defines a product: gives its schemas, which the catalogue joins with those of the others, and `product`, in which the types of its own requests
 * stay inside.
 */
export function defineProduct<
  const BodySchema extends RequestSchema & v.GenericSchema<unknown, Body>,
  const QuerySchema extends (RequestSchema & v.GenericSchema<unknown, v.InferOutput<BodySchema>>) | undefined,
  Request extends StoredRequest,
  Offer,
  Row,
>(definition: Definition<BodySchema, QuerySchema, Request, Offer, Row>) {
  const { name, columns, lookup, previewFields = {} } = definition;

  const offerOf = (country: CountryRules): Offer | undefined => {
    const offer = country.offers[name];
    return offer === undefined ? undefined : v.parse(definition.offer, offer);
  };

  const prepare = (request: Request, country: CountryRules, offer: Offer): PreparedRequest => ({
    request,
    country,
    query: () => definition.statement(request, country, offer),
    queryUntil: (end_time) => definition.statement({ ...request, end_time }, country, offer),
    rowsMax: (count) => definition.rowsMax(request, country, count),
    previewFields: Object.fromEntries(Object.keys(previewFields).map((field) => [field, Reflect.get(request, field)])),
  });

  const incoming = (body: v.InferOutput<BodySchema>): IncomingRequest => ({
    agg_type: body.agg_type,
    country_code: body.country_code,
    deprecated: body.deprecated ?? false,
    body,
    accept: (code, country, now) => {
      const offer = offerOf(country);
      if (offer === undefined) throw notOffered(code, country);
      const request = definition.accept({ body, code, offer, now });
      return {
        needsLookup: lookup !== undefined,
        lookups: lookup?.statements(request) ?? [],
        unresolved: prepare(request, country, offer),
        resolve: async (warehouse, labels) => prepare(lookup ? await lookup.run(request, warehouse, labels) : request, country, offer),
      };
    },
  });

  const open: Product["open"] = (request, country) => {
    const offer = offerOf(country);
    return offer && prepare(v.parse(definition.request, request), country, offer);
  };

  const product: Product = {
    name,
    dataset: definition.dataset,
    noPreview: definition.noPreview,
    offer: definition.offer,
    geoTypes: (country) => {
      const offer = offerOf(country);
      return offer === undefined ? [] : definition.geoTypes(offer);
    },
    distance: (country) => {
      const offer = offerOf(country);
      return (offer !== undefined && definition.distance?.(offer)) || "none";
    },
    columns,
    measures: definition.measures ?? [],
    tables: definition.tables.map(({ bucket, nesting, ...table }) => ({
      ...table,
      bucket,
      publication: publicationOf(columns, nesting, definition.tables),
    })),
    row: definition.row,
    storedRow: definition.storedRow,
    preview: v.strictObject({
      agg_type: v.literal(name),
      country_code: v.string(),
      ...previewFields,
      start_time: Timestamp,
      end_time: Timestamp,
      truncated: Truncated,
      results: v.array(definition.row),
      meta: ResultMeta,
      data_versions: DataVersions,
    }),
    open,
    examples: (country) =>
      Object.fromEntries(
        Object.entries(definition.examples).flatMap(([example, { request, offer = offerOf(country) }]) =>
          offer === undefined ? [] : [[example, prepare(request, country, offer)] as const],
        ),
      ),
  };
  return {
    body: v.pipe(definition.body, v.transform(incoming)),
    query: definition.query && v.pipe(definition.query, v.transform(incoming)),
    product,
  };
}

function notOffered(code: string, { offers }: CountryRules): Error {
  const products = Object.keys(offers);
  const detail = `is not offered for ${code}; it offers ${products.join(", ") || "nothing yet"}`;
  return invalidFields([{ pointer: "/agg_type", detail, allowed: products }], "unsupported_combination");
}
