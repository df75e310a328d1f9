import type { Fields } from "./json.ts";
import type { Store } from "./store.ts";

/** Where a resource is: its path without host and version, the path's parts, and all that exists. */
export interface Place {
  readonly path: string;
  /** The project's id, if the path has one. */
  readonly project: string;
  /** The last part of the path. */
  readonly id: string;
  readonly store: Store;
}

/** What a request to make a resource says. */
interface Creation {
  readonly body: Fields;
  readonly query: URLSearchParams;
  readonly project: string;
  readonly store: Store;
}

/** A kind of Google's resources. */
export interface Kind {
  readonly host: string;
  /** Whole paths of its resources. */
  readonly path: RegExp;
  /** Returns the last part of a new one's path. Without it, a new one is put at its path. */
  readonly id?: (creation: Creation) => string;
  /** Returns what is kept of a request. Without it, all. */
  readonly kept?: (body: Fields, place: Place) => Fields;
  /** Returns what Google shows of what is kept. */
  readonly shown?: (kept: Fields, place: Place) => Fields;
  /** Whether Google answers changes with an operation. */
  readonly isOperation?: boolean;
  /** Whether zeros and empty texts are shown. */
  readonly isDense?: boolean;
  /** Whether each is there before it is changed. */
  readonly isAlways?: boolean;
  /** Whether `name` is its own, not its path. */
  readonly hasOwnName?: boolean;
}

/** Returns the expression of a path; `*` is any part, `**` the rest. */
export function paths(form: string): RegExp {
  const parts = form.split("/").map((part) => (part === "**" ? ".+" : part.replace("*", "[^/]+")));
  return new RegExp(`^${parts.join("/")}$`);
}

/** Returns the last part of a path. */
export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
