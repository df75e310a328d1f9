import type { Findings } from "./audit-day.ts";
import { AVERAGED_MAX, isPassed, LIMITS } from "./limits.ts";
import type { Uncounted } from "./read-dataset.ts";
import type { RecoveredTrajectories } from "./trajectories-of-country.ts";
import type { Utility } from "./utility.ts";

/** A row of the table of attacks. */
interface AttackRow {
  readonly attack: string;
  readonly considered: number;
  readonly recovered: number;
  readonly shown: number;
  readonly "shown %": string;
  readonly "limit %": string;
  readonly open: number;
  readonly verdict: string;
}

/** An average over days, and how well it tells a hidden pair of devices from nobody. */
export interface Averaged {
  readonly country: string;
  readonly days: number;
  /** The share of the hidden device-hours that is also in a told cell. */
  readonly alsoInTold: number;
  readonly auc: number;
}

/** Returns the table of attacks, in the order of the limits. Attacks that had nothing to attack are in it, too. */
export function attackRows(findings: Findings, hasTruth: boolean): AttackRow[] {
  return Object.entries(LIMITS).flatMap(([attack, limit]) => {
    const finding = findings.get(attack);
    if (!finding) return [];
    const { considered, recovered, shown, open } = finding;
    const verdict = isPassed(attack, finding, hasTruth) ? "PASSED" : considered === 0 ? "nothing to attack" : "within";
    return [
      { attack, considered, recovered, shown, "shown %": percent(shown, considered), "limit %": percent(limit.shown, 1), open, verdict },
    ];
  });
}

/** Returns the table of averages. The limit holds for a tenth of the device-hours; a half shows that the attack is not blind. */
export function averageRows(averages: readonly Averaged[]): object[] {
  return averages.map(({ country, days, alsoInTold, auc }) => ({
    country,
    days,
    "also in told cells %": percent(alsoInTold, 1),
    AUC: auc.toFixed(3),
    limit: isLimited(alsoInTold) ? AVERAGED_MAX.toFixed(2) : "",
  }));
}

/** Whether an average finds more than it may. */
export function isAveragePassed({ alsoInTold, auc }: Averaged): boolean {
  return isLimited(alsoInTold) && auc > AVERAGED_MAX;
}

function isLimited(alsoInTold: number): boolean {
  return alsoInTold <= 0.1;
}

/** Returns the table of geographies in which nobody was counted. Each counts as a place in which somebody may be hidden. */
export function uncountedRows(uncounted: readonly Uncounted[]): object[] {
  return uncounted.map(({ country, geoType, geographies, uncounted: number, examples }) => ({
    ...{ country, type: geoType, geographies, "nobody counted": number, "%": percent(number, geographies) },
    "for example": examples.join(" "),
  }));
}

/** Returns the table of utility. */
export function utilityRows(utilities: readonly Utility[]): object[] {
  return utilities.map(({ product, level, rows, people, typical, median, p95 }) => ({
    product,
    level,
    "published rows": rows,
    "people %": percent(people, 1),
    "people a row": typical,
    "median error %": percent(median, 1),
    "95th percentile %": percent(p95, 1),
  }));
}

/** Returns the table of recovered trajectories: from exact counts as Xu et al. have them, and from published ones. */
export function trajectoryRows(recovered: readonly RecoveredTrajectories[]): object[] {
  return recovered.flatMap(({ country, cells, devices, exact, published }) =>
    Object.entries({ exact, published }).map(([counts, { accuracy, chance, followed, singledOut }]) => ({
      ...{ country, cells, devices, counts },
      "accuracy %": percent(accuracy, 1),
      "by chance %": percent(chance, 1),
      "followed %": percent(followed, 1),
      "singled out %": percent(singledOut, 1),
    })),
  );
}

function percent(part: number, whole: number): string {
  return whole === 0 || Number.isNaN(part) ? "" : String(Number(((100 * part) / whole).toFixed(2)));
}
