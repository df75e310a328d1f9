import { asText, Unknown, type Value } from "./language/value.ts";
import type { Instance } from "./plan.ts";

/** Finds resources of a plan by their type, and by what refers to them. */
export class Instances {
  readonly all: readonly Instance[];
  readonly #byAddress: ReadonlyMap<string, Instance>;

  constructor(all: readonly Instance[]) {
    this.all = all;
    this.#byAddress = new Map(all.map((one) => [one.address, one]));
  }

  of(type: string): Instance[] {
    return this.all.filter((one) => one.type === type);
  }

  /** Returns the resource that a value refers to: the value is one of its attributes, or derived from one. Throws if there is none. */
  named(value: Value | undefined): Instance {
    const found = this.references(value)[0];
    if (found === undefined) throw new Error(`This refers to no resource: ${value instanceof Unknown ? value.of : String(value)}`);
    return found;
  }

  /** Returns all resources that a value, or its parts, refer to. */
  references(value: Value | undefined): Instance[] {
    if (value instanceof Unknown)
      return [...value.of.matchAll(/(?:module\.\w+(?:\["[^"]+"\])?\.)*google_\w+\.\w+(?:\["[^"]+"\]|\[\d+\])?/g)].flatMap(
        ([address]) => this.#byAddress.get(address) ?? [],
      );
    return typeof value === "object" && value !== null ? Object.values(value).flatMap((one) => this.references(one)) : [];
  }
}

/** Returns the `for_each` key of an instance: its own or its module's. */
export function keyOf({ address }: Instance): string {
  return [...address.matchAll(/\["([^"]+)"\]/g)].at(-1)?.[1] ?? "";
}

/** Returns a text argument. Throws if it is unset, null or unknown. */
export function textArgument({ address, arguments: fields }: Instance, name: string): string {
  const value = fields[name];
  if (value === undefined || value === null || value instanceof Unknown) throw new Error(`${address} has no known ${name}`);
  return asText(value);
}
