import * as v from "valibot";
import { text } from "../tasks/wire/message-fields.ts";

/** https://cloud.google.com/pubsub/docs/pubsub-basics#resource_names */
const ID = "(?!goog)[A-Za-z][A-Za-z0-9._~+%-]{2,254}";
const PROJECT = "projects\\/[A-Za-z0-9:.-]+";

/** Schemas of full resource names. */
export const projectName = nameOf(PROJECT);
export const topicName = nameOf(`${PROJECT}\\/topics\\/${ID}`);
export const subscriptionName = nameOf(`${PROJECT}\\/subscriptions\\/${ID}`);

/** Returns the last segment of a resource name. */
export function idOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** Returns the project id in a resource name. */
export function projectOf(name: string): string {
  return name.split("/")[1] ?? "";
}

function nameOf(pattern: string) {
  return v.pipe(
    text,
    v.regex(new RegExp(`^${pattern}$`), (issue) => `Invalid resource name given (name=${issue.input}).`),
  );
}
