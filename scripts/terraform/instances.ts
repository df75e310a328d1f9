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

  /** The resource that a value refers to: the value is an attribute of it, or is made of one. Throws where it refers to none. */
  named(value: Value | undefined): Instance {
    const found = this.references(value)[0];
    if (found === undefined) throw new Error(`This refers to no resource: ${value instanceof Unknown ? value.of : String(value)}`);
    return found;
  }

  /** All resources that a value, or what it holds, refers to. */
  references(value: Value | undefined): Instance[] {
    if (value instanceof Unknown)
      return [...value.of.matchAll(/(?:module\.\w+(?:\["[^"]+"\])?\.)*google_\w+\.\w+(?:\["[^"]+"\]|\[\d+\])?/g)].flatMap(
        ([address]) => this.#byAddress.get(address) ?? [],
      );
    return typeof value === "object" && value !== null ? Object.values(value).flatMap((one) => this.references(one)) : [];
  }
}

/** The key of an instance of a resource with `for_each`: its own, or its module's. */
export function keyOf({ address }: Instance): string {
  return [...address.matchAll(/\["([^"]+)"\]/g)].at(-1)?.[1] ?? "";
}

/** An argument that is a text. Throws for any other. */
export function textArgument({ address, arguments: fields }: Instance, name: string): string {
  const value = fields[name];
  if (value === undefined || value === null || value instanceof Unknown) throw new Error(`${address} has no known ${name}`);
  return asText(value);
}
