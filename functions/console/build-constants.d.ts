/** The names of built files by their names without hashes: set by the build (scripts/console/build.ts). */
declare const CONSOLE_FILES: Readonly<Record<string, string>>;
