import texts from "./texts.json" with { type: "json" };

export type TextName = keyof typeof texts;

/** Returns a text of the console, with the values of its `{names}`. All texts are in `texts.json`. */
export function text(name: TextName, values: Readonly<Record<string, string | number>> = {}): string {
  return texts[name].replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole));
}

/** Returns the text of a name that is made from an answer, or `otherwise` where there is none. */
export function textOr(name: string, otherwise: string): string {
  return isTextName(name) ? text(name) : otherwise;
}

function isTextName(name: string): name is TextName {
  return Object.hasOwn(texts, name);
}
