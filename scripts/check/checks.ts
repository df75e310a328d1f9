/** A check of `npm run check`, and how it runs in the project's folder. */
export interface Check {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** The checks that need no test, in the order in which they run. */
export const CHECKS: readonly Check[] = [
  { name: "Format, lint and import boundaries", command: "biome", args: ["check", "--error-on-warnings", "."] },
  // One checker: each of several checks the shared types again, which takes half as much processor time again.
  { name: "Types", command: "tsc", args: ["--checkers", "1"] },
  { name: "Types of the console", command: "tsc", args: ["--checkers", "1", "--project", "functions/console"] },
  { name: "Types of the console's tests", command: "tsc", args: ["--checkers", "1", "--project", "functions/console/journeys"] },
  { name: "Dead code and dependencies", command: "knip", args: [] },
  {
    name: "Generated files are up to date",
    command: "node",
    args: ["--disable-warning=ExperimentalWarning", "scripts/generate.ts", "--check"],
  },
  {
    name: "What is released only grows",
    command: "node",
    args: ["--disable-warning=ExperimentalWarning", "scripts/release.ts", "--check"],
  },
];
