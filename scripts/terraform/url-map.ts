import * as v from "valibot";
import { Unknown } from "./language/value.ts";
import type { Instance } from "./plan.ts";

const Service = v.pipe(
  v.instance(Unknown),
  v.transform(({ of }) => of),
);
const HeaderMatch = v.strictObject({ header_name: v.literal(":method"), exact_match: v.string() });
/** Strict objects, so that a condition that is not evaluated here cannot be ignored. */
const MatchRule = v.strictObject({
  full_path_match: v.optional(v.nullable(v.string()), null),
  path_template_match: v.optional(v.nullable(v.string()), null),
  header_matches: v.optional(v.array(HeaderMatch), []),
});
const HeaderAction = v.strictObject({
  response_headers_to_add: v.array(v.strictObject({ header_name: v.string(), header_value: v.string(), replace: v.boolean() })),
});
const RouteRule = v.strictObject({
  priority: v.number(),
  service: Service,
  match_rules: v.array(MatchRule),
  header_action: v.optional(v.array(HeaderAction), []),
});
const PathMatcher = v.strictObject({ name: v.string(), default_service: Service, route_rules: v.array(RouteRule) });
const UrlMap = v.object({
  default_service: Service,
  host_rule: v.array(v.strictObject({ hosts: v.array(v.string()), path_matcher: v.string() })),
  path_matcher: v.array(PathMatcher),
});

/** A planned URL map: `google_compute_url_map` with route rules. */
export type UrlMap = v.InferOutput<typeof UrlMap>;

/** The target of a request: the backend service's expression, and the headers that the rule adds to the response. */
export interface Routed {
  readonly service: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Parses a planned URL map. Throws for a match condition that `routed` does not support. */
export function readUrlMap({ arguments: fields }: Instance): UrlMap {
  return v.parse(UrlMap, fields);
}

/**
 * Routes a request: the host's path matcher tries its route rules by priority, and falls back to its default.
 * Source: https://cloud.google.com/load-balancing/docs/url-map-concepts
 */
export function routed({ default_service, host_rule, path_matcher }: UrlMap, host: string, method: string, path: string): Routed {
  const name = host_rule.find(({ hosts }) => hosts.includes(host))?.path_matcher;
  const matcher = path_matcher.find((one) => one.name === name);
  if (!matcher) return { service: default_service, headers: {} };
  const rules = [...matcher.route_rules].sort((a, b) => a.priority - b.priority);
  const rule = rules.find(({ match_rules }) => match_rules.some((one) => matches(one, method, path)));
  if (!rule) return { service: matcher.default_service, headers: {} };
  const added = rule.header_action.flatMap(({ response_headers_to_add }) => response_headers_to_add);
  return { service: rule.service, headers: Object.fromEntries(added.map(({ header_name, header_value }) => [header_name, header_value])) };
}

/** Counts what Google limits in a path matcher: rules, conditions (paths and headers), and path templates. */
export function countsOf({ route_rules }: UrlMap["path_matcher"][number]): { rules: number; predicates: number; templates: number } {
  const conditions = route_rules.flatMap(({ match_rules }) => match_rules);
  const predicates = conditions.reduce((sum, { header_matches }) => sum + 1 + header_matches.length, 0);
  return { rules: route_rules.length, predicates, templates: conditions.filter((one) => one.path_template_match !== null).length };
}

function matches(
  { full_path_match, path_template_match, header_matches }: v.InferOutput<typeof MatchRule>,
  method: string,
  path: string,
): boolean {
  if (!header_matches.every(({ exact_match }) => exact_match === method)) return false;
  if (full_path_match !== null) return full_path_match === path;
  return path_template_match !== null && matchesTemplate(path_template_match, path);
}

/** In a template, `*` matches one non-empty segment. */
function matchesTemplate(template: string, path: string): boolean {
  const [wanted, given] = [template.split("/"), path.split("/")];
  return (
    wanted.length === given.length && wanted.every((segment, index) => (segment === "*" ? given[index] !== "" : segment === given[index]))
  );
}
