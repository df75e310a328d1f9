import { cloudEvent } from "@google-cloud/functions-framework";
import run from "../../../functions/aggregation/run.ts";
import { shutDownOnSigterm } from "../../../shared/runtime/graceful-shutdown.ts";

shutDownOnSigterm();

cloudEvent("worker", (event: unknown) => run.run(event));
