import { http } from "@google-cloud/functions-framework";
import { shutDownOnSigterm } from "../../../../shared/runtime/graceful-shutdown.ts";

// Without a pause at the end: only what is under way keeps it.
shutDownOnSigterm(0);

/** Answers with much text, when the address in HELD_BY has answered. */
http("held", async (request, response) => {
  await fetch(`${process.env.HELD_BY}${request.url}`);
  response.end("much ".repeat(200_000));
});
