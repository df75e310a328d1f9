import { afterAll, vi } from "vitest";

/**
 * Runs before each test file. Files share their worker, so that Google's clients are loaded once for many files. What a file changed does
 * not reach the next one: it gets its own copies of the project's modules, the environment as it was, and the real clock.
 */
// The run may be under nohup, and tests close terminals.
delete process.env.POPULUS_NOHUP;
const environment = { ...process.env };

vi.resetModules();

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});
