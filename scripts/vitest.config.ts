import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { SlowFilesFirst } from "./test-order.ts";

/** Machines that run tests are in UTC, and those of people are not: what takes the machine's time zone for UTC shows here. */
process.env.TZ = "Asia/Kathmandu";

const HANG_MS = 600_000;

/** `unit` needs no service; `service` and `console` share one running service; the `google-…` projects need Google's emulators. */
export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    // Only a hang takes this long, on a slow and busy machine too.
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
    pool: "forks",
    maxWorkers: 3,
    isolate: false,
    sequence: { sequencer: SlowFilesFirst },
    setupFiles: ["infra/testing/setup-file.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{shared,infra,scripts}/**/*.test.ts"],
          exclude: ["**/*.google.test.ts", "**/node_modules/**"],
          globalSetup: ["infra/testing/run-folder.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "service",
          include: ["functions/**/*.test.ts"],
          exclude: ["**/*.console.test.ts"],
          globalSetup: ["infra/testing/global-setup.ts"],
        },
      },
      {
        extends: true,
        test: { name: "console", include: ["functions/console/journeys/*.test.ts"], globalSetup: ["infra/testing/global-setup.ts"] },
      },
      {
        extends: true,
        test: { name: "google-contracts", include: ["{shared,infra,scripts}/**/*.google.test.ts"] },
      },
      {
        extends: true,
        test: { name: "google-journey", include: ["functions/journey.test.ts"], globalSetup: ["infra/testing/global-setup.ts"] },
      },
    ],
  },
});
