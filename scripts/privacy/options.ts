import { cloudProject } from "../cloud-project.ts";
import { parseCommandLine } from "../command-line.ts";
import type { ImportRequest } from "../import/arguments.ts";
import { inProject } from "../project-folder.ts";

/** The parsed command line of `npm run privacy`. */
export interface PrivacyCommand extends Pick<ImportRequest, "target" | "countriesFile"> {
  readonly help: boolean;
  /** The only country to audit; undefined for all with published days. */
  readonly country: string | undefined;
  /** How many of the newest published days; the current day, which has only its first hours, is none of them. */
  readonly days: number;
  /** Whether to read what was delivered, to score the attacks by it. */
  readonly truth: boolean;
}

const DAYS_MAX = 400;

export const USAGE = `Usage: npm run privacy -- [options]

Attacks what is published with all that a customer can know: the rules, the geometry, and every published row. Prints a table of the attacks:
how many sets of 1 to k - 1 devices were considered, how many were recovered (every possible count lies in 1 to k - 1) and shown (none of the
possible counts is 0), and the limit. Exits with 1 if a limit is passed. It reads as the loader's account, and writes nothing.

  --truth           scores the attacks by the raw counts in intake, prints how useful the published numbers are, and checks that every
                    published row of Activities is the one that the rule gives for what was delivered; says in how many geographies nobody
                    was counted; draws people into the densest town and recovers their trajectories from its counts
  --country C       only this country (default: each that has published days)
  --days N          the newest N published days before today that were not corrected, if any (default: 1)
  --state DIR       the folder of the running local service (default: .local)
  --project P       audits this cloud project instead, with your own credentials (gcloud auth application-default login)
  --location L      the location of its warehouse (default: europe-north1)
  --countries FILE  the country rules (default: those of the running service, else infra/countries.json)
  --help            shows this help
`;

/** Parses the command line. Throws an Error with a one-line message for wrong arguments. */
export function parsePrivacyCommand(args: readonly string[]): PrivacyCommand {
  const { values } = parseCommandLine({
    args: [...args],
    options: {
      help: { type: "boolean", short: "h", default: false },
      truth: { type: "boolean", default: false },
      country: { type: "string" },
      days: { type: "string", default: "1" },
      state: { type: "string" },
      project: { type: "string" },
      location: { type: "string" },
      countries: { type: "string" },
    },
  });
  const { project, state: stateDirectory = inProject(".local"), location = "europe-north1" } = values;
  if (project === undefined && values.location !== undefined) throw new Error("--location requires --project");
  if (project !== undefined && values.state !== undefined) throw new Error("--state and --project exclude each other");
  const days = Number(values.days);
  if (!/^\d{1,3}$/.test(values.days) || days < 1 || days > DAYS_MAX)
    throw new Error(`--days must be a whole number from 1 to ${DAYS_MAX}, not ${JSON.stringify(values.days)}`);
  return {
    help: values.help,
    country: values.country,
    days,
    truth: values.truth,
    target: project === undefined ? { kind: "local", stateDirectory } : { kind: "project", project: cloudProject(project), location },
    countriesFile: values.countries,
  };
}
