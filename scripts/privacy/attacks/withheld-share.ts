import { type AreaRules, peopleOf } from "../area-rules.ts";
import type { WithheldShare } from "../dataset.ts";
import type { Attacked } from "../verdicts.ts";

/** Where fewer geographies than this are absent, the share would name few. */
const ABSENT_MIN = 50;

/**
 * Attacks the withheld share of people of a batch: with the published total it bounds the people in withheld rows, and so their devices.
 * @param publishedPeople the sum of the published rows
 * @param rows the rows that the batch could have: geographies, or pairs of them, times buckets; undefined where nobody knows
 * @param devices the devices in withheld rows, if the truth is known
 */
export function attackShare(
  { percent, publishedRows }: Pick<WithheldShare, "percent" | "publishedRows">,
  publishedPeople: number,
  rows: number | undefined,
  devices: number | undefined,
  rules: AreaRules,
): Attacked {
  if (percent === null) return { min: 0, max: Number.POSITIVE_INFINITY, devices, isRefuted: true };
  const withheld = (share: number): number => (share >= 1 ? Number.POSITIVE_INFINITY : (publishedPeople * share) / (1 - share));
  // Where none is told, a share tells withheld from none.
  if (rules.isStrict) return { min: 1, max: rules.k - 1, devices, isRefuted: false };
  // Published people are rounded themselves, by half a step a row at most.
  const slack = (publishedRows * rules.step) / 2;
  const min = Math.max(0, Math.ceil((withheld(Math.max(0, percent - 0.5) / 100) - slack) / Math.max(1, peopleOf(1, rules))));
  const max = Math.floor((withheld(Math.min(100, percent + 0.5) / 100) + slack) / rules.peoplePerDevice);
  const isFew = rows !== undefined && rows - publishedRows < ABSENT_MIN;
  // A share among few absent geographies tells one of them from none, whatever it bounds.
  return isFew && percent > 0
    ? { min: Math.max(1, min), max: rules.k - 1, devices, isRefuted: false }
    : { min, max, devices, isRefuted: min === 0 };
}
