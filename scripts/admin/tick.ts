import { join } from "node:path";
import { readReady } from "./ready.ts";
import { UsageError } from "./usage-error.ts";
import { defineVerb } from "./verb.ts";

export default defineVerb({
  words: "",
  options: {},
  run: async (_words, _values, { place }) => {
    if (place.kind === "cloud") throw new UsageError("In the cloud, run gcloud scheduler jobs run realtime-refresh");
    const { stateDirectory } = place;
    const url = readReady(stateDirectory).functions["realtime-refresh"] ?? "";
    const answer = await fetch(url, { method: "POST" }).catch(() => undefined);
    if (!answer?.ok) throw new UsageError(`The refresh failed; ${join(stateDirectory, "functions.log")} says why`);
    return { json: { refreshed: true }, lines: ["Headcounts are refreshed from the newest measurement"] };
  },
});
