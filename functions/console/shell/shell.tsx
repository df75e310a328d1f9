import type { ComponentType, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { chooseCountry, country, session, signOut } from "../session/session.ts";
import { text } from "../texts.ts";
import { Icon } from "./icons.tsx";
import { lazy } from "./lazy.tsx";
import { Mark } from "./mark.tsx";
import { addressOfPage, isMapPage, PAGES, type PageName, route } from "./route.ts";

const COMPONENTS: Readonly<Record<PageName, ComponentType>> = {
  maps: lazy("maps/maps-page.tsx", async () => (await import("../maps/maps-page.tsx")).MapsPage),
  explore: lazy("explore/explore-page.tsx", async () => (await import("../explore/explore-page.tsx")).ExplorePage),
  jobs: lazy("jobs/jobs-page.tsx", async () => (await import("../jobs/jobs-page.tsx")).JobsPage),
  data: lazy("data/data-page.tsx", async () => (await import("../data/data-page.tsx")).DataPage),
  keys: lazy("keys/keys-page.tsx", async () => (await import("../keys/keys-page.tsx")).KeysPage),
};
const MapView = lazy("map-view/map-view.tsx", async () => (await import("../map-view/map-view.tsx")).MapView);

/** The frame of all pages: the bar with the navigation, the page, and beside it the map where the page has one. */
export function Shell(): JSX.Element {
  const { page } = route.value;
  const Page = COMPONENTS[page];
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // The map is made when its first page is shown, and stays.
  const wasShown = useRef(false);
  wasShown.current ||= isMapPage.value;
  // Before the page is painted: the focus is not taken from who already presses something on it.
  useLayoutEffect(() => {
    document.title = `${text(`page.${page}`)} – ${text("name")}`;
    // A reader of the screen hears the new page, as after a link to another document.
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
  }, [page]);
  return (
    <div class={`shell ${isMapPage.value ? "with-map" : "document"}`}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        {text("shell.skip")}
      </button>
      <header class="bar">
        <Mark />
        <nav aria-label={text("shell.pages")}>
          {PAGES.map((name) => (
            <a key={name} href={addressOfPage(name)} aria-current={name === page ? "page" : undefined}>
              <Icon name={name} />
              <span>{text(`page.${name}`)}</span>
            </a>
          ))}
        </nav>
        <Account />
      </header>
      <main id="main" ref={main} tabIndex={-1} aria-label={text(`page.${page}`)}>
        <Page key={page} />
      </main>
      <aside class="map-place" hidden={!isMapPage.value} aria-label={text("map.place")}>
        {wasShown.current && <MapView />}
      </aside>
    </div>
  );
}

function Account(): JSX.Element {
  const { me, countries } = session.value ?? {};
  return (
    <div class="account">
      {countries !== undefined && countries.length > 1 && (
        <select
          aria-label={text("shell.country")}
          value={country.value?.country_code}
          onChange={({ currentTarget }) => chooseCountry(currentTarget.value)}
        >
          {countries.map(({ country_code, name }) => (
            <option key={country_code} value={country_code}>
              {name}
            </option>
          ))}
        </select>
      )}
      <span class="customer" title={text("shell.key", { label: me?.keyLabel ?? "" })}>
        {me?.name}
      </span>
      <button type="button" class="quiet" onClick={() => signOut()}>
        {text("shell.signOut")}
      </button>
    </div>
  );
}
