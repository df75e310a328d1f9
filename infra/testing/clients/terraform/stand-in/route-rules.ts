import { at, type Fields, fields, items, text } from "./json.ts";
import { invalid } from "./refusal.ts";

/**
 * Throws a Refusal if a load balancer's map of addresses is not in order: each host leads to a matcher that is there, and the priorities of a matcher's
 * rules ascend, as operators report of Google (https://github.com/GoogleCloudPlatform/cloud-foundation-fabric/pull/2095).
 */
export function checkRouteRules(map: Fields): void {
  const matchers = items(map.pathMatchers).map(fields);
  for (const rule of items(map.hostRules)) {
    const matcher = at(rule, "pathMatcher");
    if (!matchers.some(({ name }) => name === matcher)) throw invalid(`There is no path matcher ${text(matcher)}`);
  }
  for (const { name, routeRules } of matchers) {
    const priorities = items(routeRules).map((rule) => Number(at(rule, "priority") ?? 0));
    const isAscending = priorities.every((priority, index) => index === 0 || priority > (priorities[index - 1] ?? 0));
    if (!isAscending) throw invalid(`${text(name)}: priorities are not in ascending order`);
  }
}
