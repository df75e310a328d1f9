/** Returns the body of a response: parsed JSON, the text of a page, or undefined if there is none. */
export async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === "") return undefined;
  return response.headers.get("content-type") === "text/html" ? text : JSON.parse(text);
}
