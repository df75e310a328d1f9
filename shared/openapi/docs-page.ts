import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import * as v from "valibot";
import { acceptsGzip } from "../http/negotiation.ts";
import { licences, script, style } from "./swagger-ui.ts";

/** A page as a response: bytes in `text/html`. */
export const HtmlPage = v.pipe(
  v.custom<string | Uint8Array>((page) => typeof page === "string" || page instanceof Uint8Array),
  v.metadata({ type: "string", mediaType: "text/html" }),
);

/** No answer of another party is asked for: without `validatorUrl` null, a deployed document would be sent to a validator's host. */
const START = `SwaggerUIBundle({ url: "openapi.json", dom_id: "#swagger-ui", validatorUrl: null, deepLinking: true, defaultModelsExpandDepth: 0 });`;

/** Text between the tags of a script ends at the first closing tag, also within a string. */
const CODE = script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

/** What the page may load: its own inline texts, by their hashes, and answers of its own API. */
const POLICY = [
  "default-src 'none'",
  `script-src ${hash(CODE)} ${hash(START)}`,
  `style-src ${hash(style)}`,
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Returns the HTML page that shows the document beside it, and sends requests to try it. */
function html(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<!-- Swagger UI, Apache-2.0
${licences}-->
<style>${style}</style>
</head>
<body>
<div id="swagger-ui"></div>
<noscript>This page needs JavaScript. The document itself is at openapi.json.</noscript>
<script>${CODE}</script>
<script>${START}</script>
</body>
</html>
`;
}

/** Returns a function that returns the page, compressed for clients that accept it, with its headers. The page is made once. */
export function createDocsPage(
  title: string,
): (acceptEncoding: string | undefined) => { body: Uint8Array; headers: Record<string, string> } {
  let plain: Uint8Array | undefined;
  let compressed: Uint8Array | undefined;
  const shared = {
    "content-type": "text/html",
    "content-security-policy": POLICY,
    // The page needs no key, and changes only with a deployment.
    "cache-control": "public, max-age=3600",
  };
  return (acceptEncoding) => {
    plain ??= new TextEncoder().encode(html(title));
    if (!acceptsGzip({ "accept-encoding": acceptEncoding })) return { body: plain, headers: shared };
    compressed ??= gzipSync(plain);
    return { body: compressed, headers: { ...shared, "content-encoding": "gzip" } };
  };
}
