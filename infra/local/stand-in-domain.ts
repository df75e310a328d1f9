import { registerHooks } from "node:module";

const STAND_IN = new URL("../../scripts/bundle/stand-ins/domain.cjs", import.meta.url).href;

/** Loaded before the functions framework, so that it has the same stand-in for Node's `domain` here as in the archives. */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "domain" && context.parentURL?.includes("/@google-cloud/functions-framework/")
      ? { url: STAND_IN, format: "commonjs", shortCircuit: true }
      : next(specifier, context),
});
