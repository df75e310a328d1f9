import { cloudEvent } from "@google-cloud/functions-framework";
import run from "../../../../functions/aggregation/run.ts";
import { endOnSignal } from "../../../../shared/runtime/graceful-shutdown.ts";

endOnSignal();

cloudEvent("worker", (event: unknown) => run.run(event));
