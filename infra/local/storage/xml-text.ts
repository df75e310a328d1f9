export const XML_TYPE = "application/xml; charset=UTF-8";

/** Returns a text as the content of an element. Control characters that XML 1.0 cannot hold become question marks. */
export function escapeXml(text: string): string {
  const characters: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
  return text
    .replace(/[&<>]/g, (character) => characters[character] ?? "?")
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "?");
}
