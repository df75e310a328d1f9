import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
	root: fileURLToPath(new URL("..", import.meta.url)),
	test: {
		include: ["{functions,shared,infra,scripts}/**/*.test.ts"],
		cache: false,
		testTimeout: 30_000,
		hookTimeout: 60_000,
		pool: "forks",
		maxWorkers: 2,
	},
});
