// Starts a function: `node start.cjs --target=NAME --source=NAME.cjs`, in the folder with its files. Loads the framework and the function with the
// bytecode that V8 made of them when the image was built (CODE_CACHE, a folder): of all functions that ran then, also of those that V8 compiles when
// they are first called. Node's own compile cache has only what is compiled when a file is loaded. A file without a cache is compiled as usual.
// With CODE_CACHE_FILL=true the process writes the cache when it ends. The cache of a file is not checked against the file: an image holds both.
// Sources: https://v8.dev/blog/code-caching-for-devs, https://nodejs.org/docs/latest-v24.x/api/vm.html#scriptcreatecacheddata
const { mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const { createRequire, Module } = require("node:module");
const { dirname, join, resolve } = require("node:path");
const { constants, Script } = require("node:vm");

const SOURCE = "--source=";
const FRAMEWORK = "functions-framework.cjs";

const source = process.argv.find((argument) => argument.startsWith(SOURCE))?.slice(SOURCE.length);
if (source === undefined) throw new Error(`Which function? node start.cjs --target=NAME ${SOURCE}NAME.cjs`);
const { CODE_CACHE, CODE_CACHE_FILL } = process.env;
const folder = CODE_CACHE && join(CODE_CACHE, source);
const scripts = new Map();

/** Loads a CommonJS module so that `require` finds it from then on. Returns its exports. */
function load(file) {
  const filename = resolve(file);
  const cachedData = CODE_CACHE_FILL === "true" ? undefined : cached(file);
  // Bundles are ASCII, of which this is read faster than UTF-8.
  const script = new Script(Module.wrap(readFileSync(filename, "latin1")), {
    filename,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (script.cachedDataRejected)
    console.error(
      JSON.stringify({
        severity: "WARNING",
        message: `${file} is compiled anew: its code cache is of another version of Node.js, or of other flags`,
      }),
    );
  scripts.set(file, script);
  const loaded = new Module(filename);
  loaded.filename = filename;
  require.cache[filename] = loaded;
  const { exports } = loaded;
  script.runInThisContext().call(exports, exports, createRequire(filename), loaded, filename, dirname(filename));
  loaded.loaded = true;
  return loaded.exports;
}

function cached(file) {
  try {
    return folder ? readFileSync(join(folder, file)) : undefined;
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

if (CODE_CACHE_FILL === "true")
  process.on("exit", () => {
    mkdirSync(folder, { recursive: true });
    for (const [file, script] of scripts) writeFileSync(join(folder, file), script.createCachedData());
  });

try {
  const { start } = load(FRAMEWORK);
  load(source);
  start();
} catch (error) {
  // Node.js would first print the line that failed, which is much of the bundle: a log keeps less of it than comes before the reason.
  console.error(JSON.stringify({ severity: "CRITICAL", message: `${source} does not start: ${error.stack}` }));
  process.exit(1);
}
