import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { messageOf } from "../../../shared/runtime/error-message.ts";
import type { ExportFile } from "../api/jobs.ts";
import { formatBytes } from "../format/format.ts";
import { text } from "../texts.ts";
import { downloadFile } from "./download.ts";

/** The files of an export, each with its download. */
export function FileList({ jobId, files }: { readonly jobId: string; readonly files: readonly ExportFile[] }): JSX.Element {
  return (
    <ul class="rows">
      {files.map((file) => (
        <FileRow key={file.name} jobId={jobId} file={file} />
      ))}
    </ul>
  );
}

function FileRow({ jobId, file }: { readonly jobId: string; readonly file: ExportFile }): JSX.Element {
  /** The share that has arrived; undefined before and after. */
  const share = useSignal<number | undefined>(undefined);
  const outcome = useSignal<{ readonly fault?: string } | undefined>(undefined);
  const download = async (): Promise<void> => {
    share.value = 0;
    outcome.value = undefined;
    try {
      await downloadFile(jobId, file, (arrived) => {
        share.value = arrived;
      });
      outcome.value = {};
    } catch (error) {
      outcome.value = { fault: messageOf(error) };
    } finally {
      share.value = undefined;
    }
  };
  return (
    <li class="row file-row">
      <span class="row-text">
        <span class="row-name mono">{file.name}</span>
        <span class="hint" aria-live="polite">
          {formatBytes(file.size)}
          {outcome.value && outcome.value.fault === undefined && ` · ${text("download.done")}`}
        </span>
        {share.value !== undefined && <progress max={1} value={share.value} aria-label={text("download.progress", { name: file.name })} />}
        {outcome.value?.fault !== undefined && <span class="fault">{outcome.value.fault}</span>}
      </span>
      <button
        type="button"
        disabled={share.value !== undefined}
        aria-label={text("download.of", { name: file.name })}
        onClick={() => void download()}
      >
        {text("download")}
      </button>
    </li>
  );
}
