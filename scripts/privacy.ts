import { cloudFailure } from "./cloud-failure.ts";
import { openTarget } from "./import/target.ts";
import { averagedAuc } from "./privacy/attacks/averages.ts";
import { attackJunction, drawnJunctions } from "./privacy/attacks/junctions.ts";
import { auditCountry } from "./privacy/audit-country.ts";
import type { ActivityDay, Country, RawActivity } from "./privacy/dataset.ts";
import { denserPairings } from "./privacy/denser.ts";
import { attackName, isPassed } from "./privacy/limits.ts";
import { type PrivacyCommand, parsePrivacyCommand, USAGE } from "./privacy/options.ts";
import { readCountry, readDays, readUncounted, type Uncounted } from "./privacy/read-dataset.ts";
import { type Averaged, attackRows, averageRows, isAveragePassed, trajectoryRows, uncountedRows, utilityRows } from "./privacy/report.ts";
import { openSolver } from "./privacy/solver.ts";
import { type RecoveredTrajectories, trajectoriesOf } from "./privacy/trajectories-of-country.ts";
import { type Pairing, utilityOf } from "./privacy/utility.ts";
import { type Finding, scoreSets, sumOf } from "./privacy/verdicts.ts";
import { printTable } from "./table.ts";

const JUNCTIONS = 1000;
const AVERAGES = [
  { days: 14, alsoInTold: 0.1 },
  { days: 90, alsoInTold: 0.1 },
  { days: 14, alsoInTold: 0.5 },
];
const TRIALS = 300;
const SEED = 1;
/** Utility is also shown for so many times the devices. */
const DENSER = [2, 4];

/** Runs `npm run privacy`. Returns whether every limit was kept. */
async function main(): Promise<boolean> {
  const command = parsePrivacyCommand(process.argv.slice(2));
  if (command.help) {
    process.stdout.write(USAGE);
    return true;
  }
  return audit(command);
}

async function audit(command: PrivacyCommand): Promise<boolean> {
  const target = await openTarget(command);
  const published = await readDays(target, command.days, new Date());
  const wanted = [...published].filter(([code]) => command.country === undefined || code === command.country);
  if (wanted.length === 0) throw new Error(nothingPublished(command, [...published.keys()]));
  const solver = await openSolver();
  const findings = new Map<string, Finding[]>();
  const collect = ({ activities: rules }: Country, attack: string, finding: Finding): void => {
    const name = attackName(attack, rules);
    findings.set(name, [...(findings.get(name) ?? []), finding]);
  };
  const averages: Averaged[] = [];
  const pairings: Pairing[] = [];
  const trajectories: RecoveredTrajectories[] = [];
  const uncounted: Uncounted[] = [];
  let unexplained = 0;
  for (const [code, dates] of wanted) {
    const country = await readCountry(target, code);
    if (command.truth) uncounted.push(await readUncounted(target, country));
    let whole: ActivityDay<RawActivity> | undefined;
    for (const date of dates) {
      progress(`${code} ${date}`);
      const audited = await auditCountry(target, country, date, command.truth, solver);
      for (const [name, finding] of audited.findings) collect(country, name, finding);
      unexplained += audited.unexplained ?? 0;
      pairings.push(...audited.pairings);
      // The hours of today have no day yet.
      if (audited.raw && audited.raw.day.size > 0) whole = audited.raw;
    }
    if (whole) {
      for (const times of DENSER) pairings.push(...denserPairings(country, whole, times));
      progress(`${code} trajectories of ${whole.date}`);
      trajectories.push(...[trajectoriesOf(country, whole, SEED)].flatMap((found) => found ?? []));
    }
    collect(country, "junctions (drawn, conserved flow)", junctionsOf(country));
    averages.push(...averagesOf(country));
  }
  const sums = new Map([...findings].map(([name, all]) => [name, sumOf(all)]));
  console.log(`Attacks on ${wanted.map(([code, dates]) => `${code} ${dates.join(", ")}`).join("; ")}`);
  printTable(attackRows(sums, command.truth));
  console.log("A hidden pair of devices, looked for by averages over days (drawn)");
  printTable(averageRows(averages));
  if (command.truth) {
    console.log("Trajectories of people who are drawn into the densest town, recovered from counts (Xu et al. 2017)");
    printTable(trajectoryRows(trajectories));
    console.log("Geographies of the finest type in which nobody was counted: load none in which nobody can be, such as open water");
    printTable(uncountedRows(uncounted));
    console.log("Published numbers against delivered ones");
    printTable(utilityRows(utilityOf(pairings)));
  }
  return verdict(sums, averages, unexplained, command.truth);
}

/** A strict country publishes no Flow of a link, and so no arm of a junction. */
function junctionsOf({ activities: rules }: Country): Finding {
  const junctions = rules.isStrict ? [] : drawnJunctions(rules, JUNCTIONS, SEED);
  return scoreSets(
    junctions.map((one) => attackJunction(one, rules)),
    rules.k,
  );
}

function verdict(findings: ReadonlyMap<string, Finding>, averages: readonly Averaged[], unexplained: number, hasTruth: boolean): boolean {
  const passed = [...findings].filter(([name, finding]) => isPassed(name, finding, hasTruth)).map(([name]) => name);
  if (averages.some(isAveragePassed)) passed.push("averages");
  const wrong = [...findings].filter(([, finding]) => finding.wrong > 0).map(([name, finding]) => `${name} (${finding.wrong})`);
  if (unexplained > 0) console.log(`${unexplained} rows of Activities are not as the rule publishes what was delivered`);
  if (wrong.length > 0) console.log(`Counts outside of what was concluded, so another rule runs: ${wrong.join(", ")}`);
  console.log(passed.length === 0 ? "Every limit is kept" : `Limits passed: ${passed.join(", ")}`);
  return passed.length === 0 && unexplained === 0 && wrong.length === 0;
}

function averagesOf({ code, activities }: Country): Averaged[] {
  return AVERAGES.map(({ days, alsoInTold }) => {
    progress(`${code} averages over ${days} days`);
    return { country: code, days, alsoInTold, auc: averagedAuc(activities, { days, alsoInTold, trials: TRIALS, seed: SEED }) };
  });
}

function nothingPublished({ country }: PrivacyCommand, codes: readonly string[]): string {
  const known = codes.length === 0 ? "no country has" : `${codes.join(", ")} have`;
  return country === undefined ? "No day of Activities is published yet" : `No day of Activities of ${country} is published; ${known} any`;
}

/** Work that takes minutes says on standard error what it does. */
function progress(line: string): void {
  process.stderr.write(`${line} …\n`);
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(cloudFailure(error));
  process.exitCode = 2;
}
