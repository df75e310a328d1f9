import type { JSX } from "preact";
import { Plain } from "../controls/plain.tsx";
import { formatCount, formatTime } from "../format/format.ts";
import { text } from "../texts.ts";

type Row = Readonly<Record<string, string | number | null>>;

/** The first rows of a result. */
export function PreviewTable({ rows }: { readonly rows: readonly Row[] }): JSX.Element {
  const [first] = rows;
  if (!first) return <p class="empty">{text("job.noRows")}</p>;
  const columns = Object.keys(first);
  return (
    <div class="table-place tall">
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" class={typeof first[column] === "number" ? "number" : undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column} class={typeof row[column] === "number" ? "number" : undefined}>
                  <Plain value={cell(column, row[column] ?? null)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function cell(column: string, value: string | number | null): string {
  if (value === null) return "–";
  if (column.endsWith("_id")) return String(value);
  if (typeof value === "number") return Number.isInteger(value) ? formatCount(value) : String(value);
  return column === "time_bucket" ? formatTime(value) : value;
}
