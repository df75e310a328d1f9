type Schemas<List extends readonly unknown[], Key extends PropertyKey> = List extends readonly [infer First, ...infer Others]
  ? First extends Readonly<Record<Key, infer Schema>>
    ? [Schema] extends [{ readonly type: string }]
      ? [Schema, ...Schemas<Others, Key>]
      : Schemas<Others, Key>
    : Schemas<Others, Key>
  : [];

/** Returns the schema at `key` of each object of a list, as a typed tuple for a variant. Skips objects without that schema. */
export function schemasOf<const List extends readonly object[], const Key extends PropertyKey>(list: List, key: Key): Schemas<List, Key>;
export function schemasOf(list: readonly object[], key: PropertyKey): unknown[] {
  return list.map((one) => Reflect.get(one, key)).filter((schema) => schema !== undefined);
}
