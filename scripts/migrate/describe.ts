import type { Migrated } from "../../infra/migrations/apply-migrations.ts";

/** Returns the lines that tell an operator what was done. */
export function describeMigrated({ applied, concurrent, waiting, newer }: Migrated): string[] {
  return [
    ...(applied.length + concurrent.length + waiting.length === 0 ? ["The tables have every migration"] : []),
    ...applied.map((name) => `Applied ${name}`),
    ...concurrent.map((name) => `Another run has applied ${name} at the same moment`),
    ...waiting.map((name) => `${name} waits for its table, which Terraform creates`),
    ...(newer.length === 0
      ? []
      : [`A newer release has applied ${newer.join(", ")}: its columns stay, and this release does not use them`]),
  ];
}
