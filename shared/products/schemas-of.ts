type Schemas<List extends readonly unknown[], Key extends PropertyKey> = List extends readonly [infer First, ...infer Others]
  ? First extends Readonly<Record<Key, infer Schema>>
    ? [Schema] extends [{ readonly type: string }]
      ? [Schema, ...Schemas<Others, Key>]
      : Schemas<Others, Key>
    : Schemas<Others, Key>
  : [];

/** A schema of each object of a list, as a tuple of their own types: what a variant is made of. Objects without that schema are left out. */
export function schemasOf<const List extends readonly object[], const Key extends PropertyKey>(list: List, key: Key): Schemas<List, Key>;
export function schemasOf(list: readonly object[], key: PropertyKey): unknown[] {
  return list.map((one) => Reflect.get(one, key)).filter((schema) => schema !== undefined);
}
