import * as v from "valibot";
import { text } from "./wire/message-fields.ts";

const location = "projects\\/[A-Za-z0-9:.-]+\\/locations\\/[a-z0-9-]+";
const queue = `${location}\\/queues\\/[A-Za-z0-9-]{1,100}`;
const task = `${queue}\\/tasks\\/[A-Za-z0-9_-]{1,500}`;

/** Schemas of full resource names. */
export const locationName = nameOf("Location", location, "projects/<PROJECT_ID>/locations/<LOCATION_ID>");
export const queueName = nameOf("Queue", queue, "projects/<PROJECT_ID>/locations/<LOCATION_ID>/queues/<QUEUE_ID>");
export const taskName = nameOf("Task", task, "projects/<PROJECT_ID>/locations/<LOCATION_ID>/queues/<QUEUE_ID>/tasks/<TASK_ID>");

/** Returns the queue's name in a task's name. */
export function queueOfTask(name: string): string {
  return name.slice(0, name.lastIndexOf("/tasks/"));
}

/** Returns the last segment of a resource name. */
export function idOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

function nameOf(what: string, pattern: string, form: string) {
  return v.pipe(text, v.regex(new RegExp(`^${pattern}$`), `${what} name must be formatted: "${form}"`));
}
