/** Returns the body of a response: parsed JSON, the text of a page, or undefined if there is none. */
export async function bodyOf(response: Response): Promise<unknown> {
  return parseBody(await response.text(), response.headers.get("content-type"));
}

/** Returns the body of a response from its text and its type. */
export function parseBody(text: string, contentType: string | null | undefined): unknown {
  if (text === "") return undefined;
  return contentType === "text/html" ? text : JSON.parse(text);
}
