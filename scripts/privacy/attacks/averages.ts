import { publishHour } from "../area-rule.ts";
import { type AreaRules, hasHours, peopleOf } from "../area-rules.ts";
import { drawn } from "../drawn.ts";
import type { Place, Places } from "../places.ts";

/** How a hidden pair of residents is looked for over many hours. */
export interface AverageOptions {
  readonly days: number;
  /** The share of the hidden devices' hours in which they are also in a told cell of the km. */
  readonly alsoInTold: number;
  /** How many km cells with, and as many without, hidden devices. */
  readonly trials: number;
  readonly seed: number;
}

const HOURS = 24;
const HIDDEN = 2;
const TOLD_CELLS = 3;
/** With so few that move, a hidden pair that is in a told cell half of the time is found (an AUC of about 0.85): the test is not blind. */
const MOVING_MAX = 2;
const KM = "1/0";
const HIDDEN_CELL = "0/0";

/**
 * Returns how well the average over many hours tells a cell of two hidden devices from an empty one: the area under the ROC curve, 0.5 for a
 * guess. The statistic is the sum over the hours of what the km has beyond its told cells: of the km alone, where hours of cells are not published.
 */
export function averagedAuc(country: AreaRules, options: AverageOptions): number {
  const rules = { ...country, finestLevel: 0 };
  const random = drawn(options.seed);
  const places = kmPlaces();
  const run = (hidden: number): number[] => Array.from({ length: options.trials }, () => sumBeyond(places, rules, options, hidden, random));
  const without = run(0);
  const area = auc(run(HIDDEN), without);
  return Math.max(area, 1 - area);
}

/** One km over all hours. The told cells' residents come and go, so that their numbers vary from hour to hour. */
function sumBeyond(places: Places, rules: AreaRules, { days, alsoInTold }: AverageOptions, hidden: number, random: () => number): number {
  const sizes = Array.from({ length: TOLD_CELLS }, () => rules.k + 1 + Math.floor(random() * 6 * rules.k));
  // How many devices move between the told cells differs from km to km, and the attacker does not know it.
  const moving = random() * MOVING_MAX;
  let beyond = 0;
  for (let hour = 0; hour < days * HOURS; hour++) {
    const told = sizes.map((size) => Math.max(1, Math.round(size * (0.7 + 0.6 * random()))));
    const isElsewhere = hidden > 0 && random() < alsoInTold;
    const shared = Math.floor(random() * (2 * moving + 1));
    const sum = told.reduce((total, count) => total + count, 0);
    const km = Math.max(...told, sum - shared) + (isElsewhere ? 0 : hidden);
    const devices = new Map([...told.map((count, index) => [`0/${index + 1}`, count] as const), [HIDDEN_CELL, hidden], [KM, km]]);
    const rows = publishHour(
      places,
      rules,
      new Map([...devices].map(([id, count]) => [id, { devices: count, people: peopleOf(count, rules) }])),
    );
    const number = (id: string): number => (hasHours(places.get(id)?.level, rules) ? (rows.get(id)?.number ?? 0) : 0);
    beyond += told.reduce((left, _, index) => left - number(`0/${index + 1}`), number(KM));
  }
  return beyond;
}

function kmPlaces(): Places {
  const cell = (index: number): Place => ({ id: `0/${index}`, level: 0, around: [`0/${index}`, KM], parts: 0, straddles: false });
  const km: Place = { id: KM, level: 1, around: [undefined, KM], parts: 16, straddles: false };
  return new Map([km, ...Array.from({ length: 16 }, (_, index) => cell(index))].map((place) => [place.id, place]));
}

/** The probability that a value of one sample exceeds one of another (Mann and Whitney's U). */
function auc(positive: readonly number[], negative: readonly number[]): number {
  let wins = 0;
  for (const a of positive) for (const b of negative) wins += a > b ? 1 : a === b ? 0.5 : 0;
  return wins / (positive.length * negative.length);
}
