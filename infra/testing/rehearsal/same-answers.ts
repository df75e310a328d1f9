/**
 * Whether two versions tell the same: what one of them answers, the other answers, too. The newer may answer members besides, which clients of the older do
 * not know.
 */
export function tellTheSame(one: unknown, other: unknown): boolean {
  return hasAll(one, other) || hasAll(other, one);
}

/** Whether an answer has all of another one: each of its members, and in lists as many elements. */
function hasAll(answer: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return Array.isArray(answer) && answer.length === wanted.length && wanted.every((element, index) => hasAll(answer[index], element));
  if (isObject(wanted))
    return isObject(answer) && Object.entries(wanted).every(([name, value]) => Object.hasOwn(answer, name) && hasAll(answer[name], value));
  return Object.is(answer, wanted);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
