import { BigQueryError } from "../model.ts";

/** The members to keep of an object, each whole (undefined) or in part. `*` is every member. */
type Mask = Map<string, Mask | undefined>;

/**
 * Reads the query parameter `fields`, such as `status/state,statistics(creationTime,query/totalBytesBilled)`. Returns a function that takes that part of an
 * answer; of arrays, that part of each element. Members that do not exist select nothing. Throws `invalidParameter` for a text that is no selection.
 * Source: https://cloud.google.com/bigquery/docs/api-performance#partial-response
 */
export function readSelection(fields: string): (answer: unknown) => unknown {
  const mask = new Selection(fields).read();
  return (answer) => selected(answer, mask);
}

function selected(value: unknown, mask: Mask | undefined): unknown {
  if (mask === undefined || !(value instanceof Object)) return value;
  if (Array.isArray(value)) return value.map((element: unknown) => selected(element, mask));
  const kept = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const found = [name, "*"].find((wanted) => mask.has(wanted));
    if (found === undefined) return [];
    const within = mask.get(found);
    return within && !(member instanceof Object) ? [] : [[name, selected(member, within)]];
  });
  return Object.fromEntries(kept);
}

/** Adds a member, or more of one that is selected in part. What is selected whole stays so. */
function add(mask: Mask, name: string, within: Mask | undefined): void {
  const known = mask.get(name);
  if (known && within) for (const [member, part] of within) add(known, member, part);
  else mask.set(name, mask.has(name) ? undefined : within);
}

/** Reads a selection: members after commas, paths with slashes, several members of one in parentheses. */
class Selection {
  readonly #text: string;
  readonly #tokens: readonly string[];
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = text.match(/[^,/()]+|[,/()]/g) ?? [];
  }

  read(): Mask {
    const mask = this.#members();
    if (this.#next < this.#tokens.length) throw this.#invalid();
    return mask;
  }

  #members(): Mask {
    const mask: Mask = new Map();
    do this.#member(mask);
    while (this.#take(","));
    return mask;
  }

  #member(mask: Mask): void {
    const name = this.#tokens[this.#next++];
    if (name === undefined || /^[,/()]$/.test(name)) throw this.#invalid();
    const within = this.#within();
    add(mask, name, within);
  }

  #within(): Mask | undefined {
    if (this.#take("/")) {
      const mask: Mask = new Map();
      this.#member(mask);
      return mask;
    }
    if (!this.#take("(")) return undefined;
    const mask = this.#members();
    if (!this.#take(")")) throw this.#invalid();
    return mask;
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#next] !== token) return false;
    this.#next++;
    return true;
  }

  #invalid(): BigQueryError {
    return new BigQueryError("invalidParameter", `Invalid field selection ${this.#text}`, "fields");
  }
}
