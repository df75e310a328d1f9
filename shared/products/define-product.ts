import * as v from "valibot";
import type { CountryRules, DistanceRule, GeoType } from "../countries/country-rules.ts";
import { stepOf } from "../countries/step.ts";
import type { Labels, Warehouse } from "../google/bigquery.ts";
import type { Statement } from "../google/statement.ts";
import { publicationOf, type ValueColumn } from "./columns.ts";
import { notOffered, typesWithHours } from "./offered.ts";
import {
  type CountGeographies,
  type IncomingRequest,
  type PreparedPreview,
  type PreparedRequest,
  type Product,
  previewSchemas,
  type TableDefinition,
} from "./product.ts";
import type { ProductQuery } from "./product-query.ts";
import { askedRequest, requireWindow, type StoredRequest, type WindowNames, windowOf } from "./request-fields.ts";
import { type Form, kindOf } from "./result-meta.ts";
import type { SummaryRow } from "./summary.ts";
import { type PreviewSpan, previewEnd } from "./time-window.ts";

type RequestSchema = v.VariantOptions<"agg_type">[number];

/** The fields of a parsed body that all products have. */
interface Body {
  readonly agg_type: string;
  readonly country_code?: string | undefined;
  /** Whether a deprecated parameter was used. */
  readonly deprecated?: boolean;
  readonly windowNames?: WindowNames;
}

interface Definition<
  BodySchema extends RequestSchema & v.GenericSchema<unknown, Body>,
  QuerySchema extends RequestSchema & v.GenericSchema<unknown, v.InferOutput<BodySchema>>,
  Request extends StoredRequest,
  Offer,
  Row,
> {
  /** The `agg_type`, the key in a country's rules and the prefix of export folders. */
  readonly name: string;
  /** The dataset's name in data availability. */
  readonly dataset: string;
  /** The product's entry in a country's rules, as written in `countries.json`. */
  readonly offer: v.GenericSchema<unknown, Offer>;
  /** The geography types that requests can use under an offer. */
  readonly geoTypes: (offer: Offer) => readonly GeoType[];
  /** The values of `activity_type` that requests can use. Left out: none, requests have no such field. */
  readonly activityTypes?: readonly string[];
  /** Whether a request may mix geography types under an offer. Left out: no. */
  readonly mixed?: (offer: Offer) => boolean;
  /** How an offer models the distance of a pair. Left out: `none`. */
  readonly distance?: (offer: Offer) => DistanceRule;
  /** The step of published counts under an offer. Left out, or undefined: the country's. */
  readonly step?: (offer: Offer) => number | undefined;
  /** The JSON body of `POST /data-agg`. */
  readonly body: BodySchema;
  /** The query string of the preview, parsed to the same output as a body. */
  readonly query: QuerySchema;
  /** How a preview differs from all rows of the first 24 hours. */
  readonly preview?: {
    /** Left out: 24 hours. */
    readonly span?: PreviewSpan;
    /** The product's own members of the response, by the form of the rows. */
    readonly forms?: Readonly<Partial<Record<Form, v.ObjectEntries>>>;
    /** Returns the members of one of these forms, with its `kind` unless it is `rows`. */
    readonly members?: (shown: Shown<Request>) => Readonly<Record<string, unknown>>;
  };
  /** The request as stored with a job. */
  readonly request: v.GenericSchema<unknown, Request>;
  /** The members of the request in responses that not all products have, and `measure`: those of a body, with their defaults. */
  readonly asked: v.ObjectEntries;
  /** A row in a response. */
  readonly row: v.GenericSchema<Row>;
  /** A row as the warehouse returns it and a job stores it, parsed to a `row`. */
  readonly storedRow: v.GenericSchema<unknown, Row>;
  readonly columns: Readonly<Record<string, ValueColumn>>;
  /** The allowed values of `measure`. Left out: any that can name an export folder. */
  readonly measures?: readonly string[];
  readonly tables: readonly TableDefinition[];
  /** Returns the stored request of a body. Throws `unsupported_combination` or `invalid_argument` if the country does not offer it. */
  readonly accept: (acceptance: Acceptance<v.InferOutput<BodySchema>, Offer>) => Request;
  /** Looks up the values that the request refers to, once, when it is accepted. Before that, and in an estimate, it has placeholders. */
  readonly lookup?: {
    readonly statements: (request: Request) => readonly Statement[];
    /** Returns the request with the values, and what only a preview shows of them. */
    readonly run: (
      request: Request,
      country: CountryRules,
      warehouse: Pick<Warehouse, "query">,
      labels: Labels,
    ) => Promise<Resolved<Request>>;
  };
  readonly statement: (request: Request, country: CountryRules, offer: Offer) => ProductQuery;
  /** Returns the maximum number of rows. It depends only on the request and the geographies, so it reveals nothing about people. */
  readonly rowsMax: (request: Request, country: CountryRules, count: CountGeographies) => Promise<number>;
  /** Named requests that cover every branch of `statement`, for the SQL corpus. `offer` defaults to the country's. */
  readonly examples: Readonly<Record<string, { readonly request: Request; readonly offer?: Offer }>>;
}

/** A request with its looked-up values. `found` has members of a preview's response: they are not stored with a job. */
interface Resolved<Request> {
  readonly request: Request;
  readonly found?: Readonly<Record<string, unknown>>;
}

/** What a preview shows: a resolved request whose window ends with the preview's span, with its rows. */
interface Shown<Request> extends Resolved<Request> {
  readonly country: CountryRules;
  readonly summary: SummaryRow;
}

/** A body with its country and the country's offer, before any lookup. */
interface Acceptance<ParsedBody, Offer> {
  readonly body: ParsedBody;
  /** The country's ISO 3166-1 alpha-3 code. */
  readonly code: string;
  readonly country: CountryRules;
  readonly offer: Offer;
  readonly now: Date;
}

/**
 * Defines a product. Returns its request schemas, which the catalogue joins with those of other products, and `product`, which hides the
 * types of its requests.
 */
export function defineProduct<
  const BodySchema extends RequestSchema & v.GenericSchema<unknown, Body>,
  const QuerySchema extends RequestSchema & v.GenericSchema<unknown, v.InferOutput<BodySchema>>,
  Request extends StoredRequest,
  Offer,
  Row,
>(definition: Definition<BodySchema, QuerySchema, Request, Offer, Row>) {
  const { name, columns, lookup } = definition;
  const {
    span = "24 hours",
    forms = { rows: { results: v.array(definition.row) } },
    members = ({ summary }: Shown<Request>) => ({ results: summary.preview ?? [] }),
  } = definition.preview ?? {};

  const offerOf = (country: CountryRules): Offer | undefined => {
    const offer = country.offers[name];
    return offer === undefined ? undefined : v.parse(definition.offer, offer);
  };

  const ofOffer = <Value>(country: CountryRules, read?: (offer: Offer) => Value): Value | undefined => {
    const offer = offerOf(country);
    return offer === undefined ? undefined : read?.(offer);
  };

  const preview = ({ request, ...resolved }: Resolved<Request>, country: CountryRules, offer: Offer): PreparedPreview => {
    const window = windowOf(request);
    const end = previewEnd(span, window, country.timeZone);
    const shown = { ...request, end_time: new Date(Math.min(end.getTime(), window.end.getTime())).toISOString() };
    const query = definition.statement(shown, country, offer);
    return {
      span,
      spanEnd: end.toISOString(),
      query,
      rowsMax: async (count) => query.largest?.rowsMax ?? definition.rowsMax(shown, country, count),
      members: (summary) => ({ kind: kindOf(name), ...members({ ...resolved, request: shown, country, summary }) }),
    };
  };

  const prepare = (resolved: Resolved<Request>, country: CountryRules, offer: Offer): PreparedRequest => ({
    request: resolved.request,
    country,
    query: () => definition.statement(resolved.request, country, offer),
    preview: () => preview(resolved, country, offer),
    rowsMax: (count) => definition.rowsMax(resolved.request, country, count),
  });

  const incoming = (body: v.InferOutput<BodySchema>): IncomingRequest => ({
    agg_type: body.agg_type,
    country_code: body.country_code,
    deprecated: body.deprecated ?? false,
    body: { ...body, windowNames: undefined },
    accept: (code, country, now) => {
      const offer = offerOf(country);
      if (offer === undefined) throw notOffered(code, country);
      const request = definition.accept({ body, code, country, offer, now });
      requireWindow(request, country, body.windowNames);
      const lookups = lookup?.statements(request) ?? [];
      return {
        needsLookup: lookups.length > 0,
        lookups,
        unresolved: prepare({ request }, country, offer),
        resolve: async (warehouse, labels) =>
          prepare(lookup ? await lookup.run(request, country, warehouse, labels) : { request }, country, offer),
      };
    },
  });

  const open: Product["open"] = (request, country) => {
    const offer = offerOf(country);
    return offer && prepare({ request: v.parse(definition.request, request) }, country, offer);
  };

  const describe: Product["describe"] = (country) => {
    const offer = offerOf(country);
    if (offer === undefined) return undefined;
    const { measures = [], activityTypes = [], mixed } = definition;
    const geoTypes = definition.geoTypes(offer);
    return {
      agg_type: name,
      geo_types: [...geoTypes],
      hourly_geo_types: activityTypes.includes("hourly") ? [...typesWithHours(geoTypes, country)] : [],
      measures: [...measures],
      activity_types: [...activityTypes],
      mixed: mixed?.(offer) ?? false,
    };
  };

  const product: Product = {
    name,
    dataset: definition.dataset,
    offer: definition.offer,
    geoTypes: (country) => ofOffer(country, definition.geoTypes) ?? [],
    describe,
    distance: (country) => ofOffer(country, definition.distance) ?? "none",
    step: (country) => ofOffer(country, definition.step) ?? stepOf(country),
    columns,
    measures: definition.measures ?? [],
    tables: definition.tables.map(({ bucket, nesting, byClass, ...table }) => ({
      ...table,
      bucket,
      publication: publicationOf(columns, nesting, definition.tables, byClass),
    })),
    asked: askedRequest(name, definition.asked),
    row: definition.row,
    storedRow: definition.storedRow,
    previews: previewSchemas(name, forms),
    open,
    examples: (country) =>
      Object.fromEntries(
        Object.entries(definition.examples).flatMap(([example, { request, offer = offerOf(country) }]) =>
          offer === undefined ? [] : [[example, prepare({ request }, country, offer)] as const],
        ),
      ),
  };
  return {
    body: v.pipe(definition.body, v.transform(incoming)),
    query: v.pipe(definition.query, v.transform(incoming)),
    product,
  };
}
