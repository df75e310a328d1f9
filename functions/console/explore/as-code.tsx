import { useSignal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { type PreviewQuery, previewAddress } from "../api/previews.ts";
import { CopyButton } from "../controls/copy-button.tsx";
import { text } from "../texts.ts";

const LANGUAGES = ["curl", "python"] as const;

/** The same request for a program, to copy. The key is a variable of the shell: it is never part of the text. */
export function AsCode({ query }: { readonly query: PreviewQuery | undefined }): JSX.Element | null {
  const language = useSignal<(typeof LANGUAGES)[number]>("curl");
  const address = useSignal("");
  const wanted = useSignal(query);
  wanted.value = query;
  useSignalEffect(() => {
    if (!wanted.value) return;
    void previewAddress(wanted.value).then((found) => {
      address.value = found;
    });
  });
  if (!query) return null;
  const code = language.value === "curl" ? curl(address.value) : python(address.value);
  return (
    <details class="code">
      <summary>{text("code.title")}</summary>
      <div class="choices">
        {LANGUAGES.map((name) => (
          <label key={name} class="choice">
            <input
              type="radio"
              name="language"
              checked={language.value === name}
              onChange={() => {
                language.value = name;
              }}
            />
            <span>{text(`code.${name}`)}</span>
          </label>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be reached by the keyboard */}
      <pre class="mono" tabIndex={0}>
        {code}
      </pre>
      <CopyButton value={code} />
    </details>
  );
}

/** A line of shell. The key is in the variable KEY. */
function curl(address: string): string {
  return `curl -s "${address}" \\\n  -H "x-api-key: $KEY"`;
}

/** The same in Python, with its standard library. */
function python(address: string): string {
  const { origin, pathname, searchParams } = new URL(address === "" ? "http://localhost" : address);
  const entries = [...searchParams].map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  return [
    "import json, os, urllib.parse, urllib.request",
    "",
    "query = {",
    ...entries,
    "}",
    `address = ${JSON.stringify(`${origin}${pathname}?`)} + urllib.parse.urlencode(query)`,
    'request = urllib.request.Request(address, headers={"x-api-key": os.environ["KEY"]})',
    "with urllib.request.urlopen(request) as answer:",
    "    print(json.load(answer))",
  ].join("\n");
}
