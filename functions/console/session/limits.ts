/** A limit of the customer, and how much of it is used; `used` is undefined where the service does not count. */
interface Limit {
  readonly name: string;
  readonly most: number;
  readonly used: number | undefined;
}

/** Members of `GET /users/me` by their names. */
type Counts = Readonly<Record<string, unknown>>;

/** What a limit is called among what is used: the same, or with the day or month that is meant. */
const USED_NAMES: readonly (readonly [RegExp, string])[] = [
  [/PerDay$/, "Today"],
  [/PerMonth$/, "ThisMonth"],
];

/** Returns the limits of the customer that are numbers, in the service's order. */
export function limitsOf({ limits, usage }: { readonly limits: Counts; readonly usage: Counts }): Limit[] {
  return Object.entries(limits).flatMap(([name, most]) => {
    if (typeof most !== "number") return [];
    const used = usage[USED_NAMES.reduce((changed, [period, now]) => changed.replace(period, now), name)];
    return { name, most, used: typeof used === "number" ? used : undefined };
  });
}
