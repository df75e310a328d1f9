/**
 * Returns a body without the members that are null, at any depth: Google's APIs read them as absent, and clients send them. Elements of lists stay.
 * @param except the member whose nulls are values, as those of a row are
 */
export function withoutNulls(value: unknown, except?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, except));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, name === except ? member : withoutNulls(member, except)]));
}
