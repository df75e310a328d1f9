import { computed, signal } from "@preact/signals";

export const PAGES = ["maps", "explore", "jobs", "data", "keys"] as const;
export type PageName = (typeof PAGES)[number];

/** The pages that show the map; the others are documents. */
const MAP_PAGES: readonly PageName[] = ["maps", "explore"];

interface Route {
  readonly page: PageName;
  /** What comes after the page: the id of a map or of a job. */
  readonly rest: string | undefined;
}

const hash = signal(location.hash);
addEventListener("hashchange", () => {
  hash.value = location.hash;
});

/** The page and the thing on it that the address names. The address never has anything secret. */
export const route = computed((): Route => {
  const [, page, rest] = hash.value.split("/");
  return {
    page: PAGES.find((name) => name === page) ?? "maps",
    rest: rest === undefined || rest === "" ? undefined : decoded(rest),
  };
});

/** Undefined for what nobody encoded: an address that was cut off in a message. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

export const isMapPage = computed(() => MAP_PAGES.includes(route.value.page));

/** The address of a page for links. */
export function addressOfPage(page: PageName, rest?: string): string {
  return `#/${page}${rest === undefined ? "" : `/${encodeURIComponent(rest)}`}`;
}

export function go(page: PageName, rest?: string): void {
  location.hash = addressOfPage(page, rest);
  hash.value = location.hash;
}
