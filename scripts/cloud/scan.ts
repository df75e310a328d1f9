import * as v from "valibot";

const Vulnerability = v.object({
  noteName: v.string(),
  vulnerability: v.object({
    fixAvailable: v.optional(v.boolean(), false),
    packageIssue: v.optional(v.array(v.object({ affectedPackage: v.optional(v.string(), "a package") })), []),
  }),
});

/** What Artifact Analysis found in an image, as gcloud prints it. */
export const Scan = v.object({
  discovery_summary: v.optional(
    v.object({ discovery: v.array(v.object({ discovered: v.optional(v.object({ analysisStatus: v.optional(v.string()) })) })) }),
    { discovery: [] },
  ),
  package_vulnerability_summary: v.optional(
    v.object({ vulnerabilities: v.optional(v.record(v.string(), v.array(Vulnerability)), {}) }),
    {},
  ),
});
export type Scan = v.InferOutput<typeof Scan>;

export function isScanned({ discovery_summary: { discovery } }: Scan): boolean {
  return discovery.some(({ discovered }) => discovered?.analysisStatus === "FINISHED_SUCCESS");
}

/** Returns a line for each critical vulnerability that a newer package does not have. One without a fix would stop every release. */
export function criticalWithFix({ package_vulnerability_summary: { vulnerabilities } }: Scan): string[] {
  return (vulnerabilities.CRITICAL ?? [])
    .filter(({ vulnerability }) => vulnerability.fixAvailable)
    .map(({ noteName, vulnerability: { packageIssue } }) => {
      const packages = [...new Set(packageIssue.map(({ affectedPackage }) => affectedPackage))];
      return `${noteName.split("/").at(-1)} in ${packages.join(", ")} is critical, and has a fix: a newer base image (scripts/image/Dockerfile) or package`;
    });
}
