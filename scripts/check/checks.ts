/** A check of `npm run check`, and how it runs in the project's folder. */
interface Check {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** The checks that need no test, in the order in which they run. */
export const CHECKS: readonly Check[] = [
  { name: "Format, lint and import boundaries", command: "biome", args: ["check", "--error-on-warnings", "."] },
  { name: "Types", command: "tsc", args: [] },
  { name: "Types of the console", command: "tsc", args: ["--project", "functions/console"] },
  { name: "Types of the console's tests", command: "tsc", args: ["--project", "functions/console/journeys"] },
  { name: "Dead code and dependencies", command: "knip", args: [] },
  {
    name: "Generated files are up to date",
    command: "node",
    args: ["--disable-warning=ExperimentalWarning", "scripts/generate.ts", "--check"],
  },
];
