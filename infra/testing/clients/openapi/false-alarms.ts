import * as v from "valibot";
import document from "../../../generated/openapi.data.json" with { type: "json" };
import type { Reported } from "./schemathesis-report.ts";

/** Something that schemathesis reports and that is right. */
interface FalseAlarm {
  /** Default: ST202, a refused request that its schema allows. */
  readonly code?: string;
  readonly operations: readonly string[];
  /** Default: 400. */
  readonly status?: number;
  /** The fields that the error may be of. Left out for errors of the whole request. */
  readonly fields?: readonly string[];
  readonly detail: RegExp;
  readonly reason: string;
}

const PREVIEW = "GET /data-agg";
const AGGREGATIONS = ["POST /data-agg", "POST /data-agg/estimate"];
const HISTORY = "GET /admin/realtime/history";
const UPDATE = "PUT /admin/maps/{id}";
const DELETE = "DELETE /admin/maps/{id}";

/** The parameters of a preview that depend on its agg_type. */
const ofProducts = v
  .parse(v.array(v.object({ name: v.string(), description: v.optional(v.string(), "") })), document.paths["/data-agg"].get.parameters)
  .filter(({ description }) => /^(?:Required|Optional) for /.test(description))
  .map(({ name }) => name);

const PARAMETERS = "OpenAPI has no parameters that depend on each other";
/**
 * `if`, `then` and `not` would say it, and schemathesis and the generators take that. But Redocly warns of required names without their
 * properties beside them, and of every example if they are there.
 */
const CONDITIONS = "conditions between two fields leave Redocly with warnings";
const OFFERED = "what a country offers is data";

/** Everything that schemathesis may report: what a document cannot say. Anything else is a failure. */
const falseAlarms: readonly FalseAlarm[] = [
  {
    operations: [PREVIEW],
    fields: ofProducts,
    detail: /^(?:is (?:not a known field(?:; did you mean \w+\?)?$|required)|must be left out if (?:geo_ids|origin_geo_ids) is given)/,
    reason: PARAMETERS,
  },
  { operations: [PREVIEW], fields: ["format"], detail: /^must be rows: columns are of activities only$/, reason: PARAMETERS },
  { operations: [PREVIEW], fields: ["measure"], detail: /^must be one of \w+(?:, \w+)+$/, reason: PARAMETERS },
  {
    operations: [PREVIEW, ...AGGREGATIONS],
    fields: ["datetime_from", "datetime_to"],
    detail: /^is the deprecated alias of (?:start|end)_time: give one of the two$/,
    reason: CONDITIONS,
  },
  { operations: AGGREGATIONS, fields: ["start_time"], detail: /^is required$/, reason: CONDITIONS },
  {
    operations: [PREVIEW, ...AGGREGATIONS],
    fields: ["start_time", "datetime_from"],
    detail: /^must be (?:before|at most 400 days before) now, the default end_time$/,
    reason: "no schema knows the time",
  },
  {
    operations: [PREVIEW, ...AGGREGATIONS, HISTORY, "GET /data-availability"],
    fields: ["start_time", "end_time", "datetime_from", "datetime_to"],
    detail: /^must be a time in ISO 8601 with an offset or Z, /,
    reason: "29 February of a year without one is beyond a pattern",
  },
  {
    operations: ["GET /data-availability"],
    fields: ["country"],
    detail: /^is the deprecated alias of country_code: give one of the two$/,
    reason: PARAMETERS,
  },
  {
    operations: [PREVIEW, ...AGGREGATIONS, HISTORY],
    fields: ["end_time", "datetime_to"],
    detail: /^must be (?:after start_time|at most 400 days after (?:start_time|datetime_from))$/,
    reason: "no schema compares two fields",
  },
  {
    operations: ["GET /data-availability"],
    fields: ["end_time"],
    detail: /^must not be before start_time$/,
    reason: "no schema compares two fields",
  },
  {
    operations: [PREVIEW, ...AGGREGATIONS],
    fields: ["geo_type", "origin_geo_type", "destination_geo_type"],
    detail: /^must be (?:one of [\w, ]+ for (?:activities|odm) in|the same as origin_geo_type in) [A-Z]{3}$/,
    reason: OFFERED,
  },
  { operations: [...AGGREGATIONS], fields: ["end_time"], detail: /^is required for flow in [A-Z]{3}$/, reason: OFFERED },
  { operations: ["GET /geographies"], fields: ["geo_type"], detail: /^must be one of [\w, ]+ in [A-Z]{3}$/, reason: OFFERED },
  {
    operations: ["GET /geographies", PREVIEW],
    fields: ["bbox"],
    detail:
      /^(?:(?:west|south|east|north) must be (?:a finite number of degrees, not "|from -\d+ to \d+ degrees, not )|west \(\S+\) must not be greater than east \(|south \(\S+\) must not be greater than north \(|lies outside [A-Z]{3}; did you swap )/,
    reason: "ranges and order of the four numbers are beyond a pattern",
  },
  {
    operations: ["GET /geographies"],
    fields: ["bbox"],
    detail: /^is required for osm_links in [A-Z]{3}: no product counts by them there$/,
    reason: OFFERED,
  },
  {
    operations: ["GET /geographies"],
    fields: ["cursor"],
    detail: /^must be the next_cursor of a page of the same /,
    reason: "cursors come from pages; only their characters are known",
  },
  {
    operations: ["GET /admin/maps", "GET /data-agg/jobs", HISTORY],
    fields: ["cursor"],
    detail: /^must be a next_cursor of this list$/,
    reason: "cursors come from pages; only their characters are known",
  },
  {
    operations: ["POST /data-agg/results/{job_id}/urls"],
    fields: ["cursor"],
    detail: /^must be a next_cursor of this job's URLs, for the same files$/,
    reason: "cursors come from pages; only their characters are known",
  },
  {
    operations: ["POST /admin/maps", UPDATE],
    fields: ["geometry"],
    detail:
      /^(?:(?:after )?ring \d+\b|nothing may follow the polygon|the (?:polygon|rings|text)\b|lies outside the countries of this key )/,
    reason: "the rules of polygons are geometry",
  },
  {
    operations: ["POST /admin/maps", UPDATE, "POST /admin/maps/check", "GET /geographies"],
    fields: ["name", "description", "q"],
    detail: /^must hold no control, text-direction or invisible characters; character \d+ is U\+(?!00)[0-9A-F]{4,6}$/,
    reason: "programs read patterns of characters from U+0100 on in different ways, and an emoji's sign depends on what is before it",
  },
  {
    operations: ["POST /admin/maps", UPDATE],
    fields: ["ids"],
    detail: /^must be ids of \w+ in [A-Z]{3}; these are not: /,
    reason: "which ids exist is data",
  },
  {
    operations: [UPDATE],
    fields: ["geometry", "ids", "country_code"],
    detail: /^is (?:allowed only with (?:the standard types|type custom_polygon)|required when the type becomes \w+)$/,
    reason: "an update depends on the type that the map has",
  },
  { operations: [UPDATE], fields: ["id", "owner"], detail: /^cannot be changed$/, reason: "only the map's own values are accepted" },
  {
    operations: [UPDATE],
    detail: /^Nothing to change: send at least one of /,
    reason: "id and owner alone change nothing",
  },
  {
    operations: [UPDATE, DELETE],
    status: 412,
    detail: /^The map has changed: its ETag is now "\d+"$/,
    reason: "If-Match names another version: the map's present one comes from an answer",
  },
  {
    operations: ["POST /data-agg"],
    status: 422,
    detail: /^This Idempotency-Key was used with another body in the last 24 hours$/,
    reason: "schemathesis sends one key with several bodies",
  },
  {
    operations: ["POST /data-agg/results/{job_id}/urls"],
    fields: ["files"],
    detail: /^is not a file of this job's results, which list their names$/,
    reason: "the names of a job's files are data",
  },
  {
    code: "ST204",
    operations: ["GET /admin/maps/monitored", "POST /admin/maps/check"],
    status: 404,
    detail: /^There is no such map$/,
    reason: "their paths are also those of PUT and DELETE /admin/maps/{id}, of a map that cannot be there",
  },
  {
    code: "ST205",
    operations: ["GET /admin/maps/monitored", "POST /admin/maps/check", "GET /users/{uid}/machine-accounts/list"],
    status: 405,
    detail: /^This path takes [A-Z, ]+$/,
    reason: "Allow names the methods of all templates that the path matches, as the load balancer routes them",
  },
  {
    operations: ["POST /users/{uid}/machine-accounts", "PATCH /users/{uid}/machine-accounts/{keyLabel}"],
    fields: ["expiresAt"],
    detail: /^must be (?:in the future; it is|at most \d+ days ahead: |a time in ISO 8601) ?/,
    reason: "which times lie ahead depends on the clock",
  },
];

/** Whether a reported error is a listed false alarm. */
export function isFalseAlarm({ code, operation, status, field, detail }: Reported): boolean {
  return falseAlarms.some(
    (alarm) =>
      code === (alarm.code ?? "ST202") &&
      status === (alarm.status ?? 400) &&
      alarm.operations.includes(operation) &&
      (alarm.fields === undefined ? field === undefined : field !== undefined && alarm.fields.includes(field)) &&
      alarm.detail.test(detail),
  );
}
