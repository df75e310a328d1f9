import { batch, computed, signal } from "@preact/signals";
import { type Country, fetchCountries, fetchMe, type Me } from "../api/account.ts";
import { useKey } from "../api/client.ts";
import { text } from "../texts.ts";

/** What the console knows about the key that is signed in. */
export interface Session {
  readonly me: Me;
  /** The countries of the key that the service has. */
  readonly countries: readonly Country[];
}

export const session = signal<Session | undefined>(undefined);

/** Why the last session ended without being asked to. */
export const endedBecause = signal<string | undefined>(undefined);

const chosenCountry = signal<string | undefined>(undefined);

/** The country that the pages show: the key's default country until another is chosen. */
export const country = computed((): Country | undefined => {
  const { me, countries } = session.value ?? { me: undefined, countries: [] };
  const wanted = chosenCountry.value ?? me?.defaultCountry;
  return countries.find(({ country_code }) => country_code === wanted) ?? countries[0];
});

export function chooseCountry(code: string): void {
  chosenCountry.value = code;
}

/** Signs in with a key. Throws `RequestFailed` if the service does not know it. */
export async function signIn(key: string): Promise<void> {
  endedBecause.value = undefined;
  useKey(key, () => undefined);
  try {
    const [me, countries] = await Promise.all([fetchMe(), fetchCountries()]);
    useKey(key, () => signOut(text("signIn.ended")));
    session.value = { me, countries };
  } catch (error) {
    useKey(undefined, () => undefined);
    throw error;
  }
}

/** Goes on with another key of the same account, because the one that is signed in was just rotated. */
export function continueWith(key: string): void {
  useKey(key, () => signOut(text("signIn.ended")));
}

/** Reads again what the key may do, and what of its customer's limits is used. */
export async function refreshSession(): Promise<void> {
  const me = await fetchMe();
  if (session.value) session.value = { ...session.value, me };
}

/** Forgets the key and everything that was read with it. */
export function signOut(reason?: string): void {
  useKey(undefined, () => undefined);
  batch(() => {
    session.value = undefined;
    chosenCountry.value = undefined;
    endedBecause.value = reason;
    for (const forget of forgets) forget();
  });
}

const forgets = new Set<() => void>();

/** Registers what a page clears when the session ends. */
export function onSignOut(forget: () => void): void {
  forgets.add(forget);
}

/** Whether the key has the scope of realtime headcounts. */
export const mayReadRealtime = computed(() => session.value?.me.scopes.includes("realtime") ?? false);
