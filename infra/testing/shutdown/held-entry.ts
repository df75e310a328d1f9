import { http } from "@google-cloud/functions-framework";
import { shutDownOnSigterm } from "../../../shared/runtime/graceful-shutdown.ts";

// No delay at the end: only requests in flight keep the process alive.
shutDownOnSigterm(0);

/** Responds with a long text once the address in HELD_BY has responded. */
http("held", async (request, response) => {
  await fetch(`${process.env.HELD_BY}${request.url}`);
  response.end("much ".repeat(200_000));
});
