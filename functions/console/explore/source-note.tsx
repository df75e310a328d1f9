import type { JSX } from "preact";
import type { Country } from "../api/account.ts";
import type { PreviewSource } from "../api/previews.ts";
import { formatDay, formatZone } from "../format/format.ts";
import { country } from "../session/session.ts";
import { text } from "../texts.ts";
import { type PublishedTypes, withheldPercent } from "./state.ts";

interface SourceNoteProps {
  readonly source: PreviewSource;
  /** The types of geographies that the view shows. */
  readonly types: PublishedTypes;
}

/** Says which day's data a view shows, in which version, how many people are in none of its values and why, and what is missing. */
export function SourceNote({ source, types }: SourceNoteProps): JSX.Element {
  const { data_versions: versions, meta, warnings } = source;
  const percent = withheldPercent(types);
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
        {percent !== undefined && " · "}
        {percent !== undefined && (percent === null ? notTold(country.value) : text("source.withheld", { percent }))}
      </p>
      {warnings
        .filter(({ code }) => code !== "no_published_rows")
        .map(({ code, detail }) => (
          <p key={`${code} ${detail}`}>{detail}</p>
        ))}
    </div>
  );
}

/** Says that the share of withheld people is not told: in a country of the strict profile it never is. */
function notTold(shown: Country | undefined): string {
  return shown?.profile === "strict" ? text("source.withheldStrict", { country: shown.name }) : text("source.withheldUnknown");
}
