import type { ServerResponse } from "node:http";
import { isDiskFull } from "../disk-full.ts";
import { StorageFault } from "./storage-fault.ts";
import { escapeXml, XML_TYPE } from "./xml-text.ts";

/** `json`: the JSON API. `text`: content of the JSON API (`alt=media`), whose errors are plain text. `xml`: the XML API. */
export type FaultFormat = "json" | "text" | "xml";

/** Sends an error. An error that is not a `StorageFault` becomes a 500 without details. */
export function sendFault(response: ServerResponse, error: unknown, format: FaultFormat): void {
  // The client disconnected, or the content failed midway: only closing the connection signals that.
  if (response.headersSent || response.destroyed || response.req.errored !== null) {
    response.destroy();
    return;
  }
  const fault = asFault(error);
  if (fault.kind === "internal") console.error(error);
  const { contentType, body } = BODIES[format](fault);
  // The rest of an incomplete body is not parsed, so the connection must not be reused.
  if (!response.req.complete) response.setHeader("Connection", "close");
  response.writeHead(fault.status, { ...fault.headers, "Content-Type": contentType, "Content-Length": Buffer.byteLength(body) });
  response.end(body);
  response.req.resume();
}

function asFault(error: unknown): StorageFault {
  if (error instanceof StorageFault) return error;
  if (isDiskFull(error)) return new StorageFault("diskFull", "The local Cloud Storage has no space left on its disk.");
  return new StorageFault("internal", "Internal error encountered.");
}

const BODIES = {
  json: (fault: StorageFault) => ({ contentType: "application/json; charset=UTF-8", body: jsonBody(fault) }),
  text: (fault: StorageFault) => ({ contentType: "text/html; charset=UTF-8", body: fault.message }),
  xml: (fault: StorageFault) => ({ contentType: XML_TYPE, body: xmlBody(fault) }),
} as const;

function jsonBody(fault: StorageFault): string {
  const { status: code, message, reason } = fault;
  const detail = { message, domain: "global", reason, ...headerAtFault(fault) };
  return JSON.stringify({ error: { code, message, errors: [detail] } }, null, 2);
}

function headerAtFault({ status }: StorageFault): { locationType?: string; location?: string } {
  if (status === 401) return { locationType: "header", location: "Authorization" };
  return status === 412 ? { locationType: "header", location: "If-Match" } : {};
}

function xmlBody({ xmlCode, xmlMessage, xmlElements, message, kind }: StorageFault): string {
  const tells = message !== xmlMessage && kind !== "unauthenticated" && kind !== "badCredentials";
  const details = tells ? `<Details>${escapeXml(message)}</Details>` : "";
  const elements = Object.entries(xmlElements).map(([name, text]) => `<${name}>${escapeXml(text)}</${name}>`);
  return `<?xml version='1.0' encoding='UTF-8'?><Error><Code>${xmlCode}</Code><Message>${xmlMessage}</Message>${details}${elements.join("")}</Error>`;
}
