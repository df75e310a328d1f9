import type { JSX } from "preact";
import type { PreviewSource } from "../api/previews.ts";
import { formatDay, formatZone } from "../format/format.ts";
import { text } from "../texts.ts";

/** Says which day's data a view shows, in which version, below which count values are withheld, and what is missing. */
export function SourceNote({ source }: { readonly source: PreviewSource }): JSX.Element {
  const { data_versions: versions, meta, warnings } = source;
  return (
    <div class="source hint">
      <p>
        {versions.length === 0
          ? text("source.noData")
          : versions.map(({ batch_date, version }) => text("source.day", { day: formatDay(batch_date), version })).join(", ")}
        {" · "}
        {formatZone()}
        {" · "}
        {text("source.threshold", { k: meta.k })}
      </p>
      {warnings
        .filter(({ code }) => code !== "no_published_rows")
        .map(({ code, detail }) => (
          <p key={`${code} ${detail}`}>{detail}</p>
        ))}
    </div>
  );
}
