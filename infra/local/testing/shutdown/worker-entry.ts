import { cloudEvent } from "@google-cloud/functions-framework";
import run from "../../../../functions/aggregation/run.ts";
import { endOnSignal } from "../../../../shared/endpoint/end-process.ts";

endOnSignal();

cloudEvent("worker", (event: unknown) => run.run(event));
