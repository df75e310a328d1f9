import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { cancelJob, fetchAskedFor, fetchResults, fetchStatus, type JobResults, type JobStatus } from "../api/jobs.ts";
import { Fault } from "../controls/fault.tsx";
import { formatCount, formatDay, formatTime } from "../format/format.ts";
import { chooseCountry, session } from "../session/session.ts";
import { notifyFault } from "../shell/notices.tsx";
import { addressOfPage } from "../shell/route.ts";
import { text } from "../texts.ts";
import { FileList } from "./file-list.tsx";
import { fillForm, JOB_FORM } from "./form-state.ts";
import { PreviewTable } from "./preview-table.tsx";
import { formOf } from "./repeat.ts";
import { isFinished, jobs, putStatus, unlisted } from "./store.ts";

/** One job: its state and, once it is completed, its results. */
export function JobPanel({ id }: { readonly id: string }): JSX.Element {
  const fault = useSignal<unknown>(undefined);
  const listed = jobs.value?.find(({ job_id }) => job_id === id);
  const job = listed ?? unlisted.value;
  const panel = useRef<HTMLElement>(null);
  // The form is longer than a screen: its job would be out of sight.
  useEffect(() => {
    panel.current?.scrollIntoView({ block: "start" });
    // Whoever submitted it by keyboard goes on here, and a reader of the screen hears of it: the button has lost the focus.
    panel.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (listed) return undefined;
    let isOpen = true;
    fetchStatus(id).then(
      (status) => {
        if (isOpen) unlisted.value = status;
      },
      (error: unknown) => {
        fault.value = error;
      },
    );
    return () => {
      isOpen = false;
      unlisted.value = undefined;
    };
  }, [id, listed === undefined]);
  return (
    <section ref={panel} tabIndex={-1} class="card job" aria-label={text("job.title")}>
      <div class="page-head">
        <h2>{text("job.title")}</h2>
        <a href={addressOfPage("jobs")}>{text("action.close")}</a>
      </div>
      <p class="mono hint">{id}</p>
      {!job && <Fault of={fault.value} />}
      {job && <State job={job} />}
      {job?.status === "completed" && <Results id={id} />}
      {job && <Repeat id={id} />}
    </section>
  );
}

/** Fills the form with what the job was asked for. */
function Repeat({ id }: { readonly id: string }): JSX.Element {
  const busy = useSignal(false);
  const repeat = async (): Promise<void> => {
    busy.value = true;
    try {
      const asked = await fetchAskedFor(id);
      const from = session.peek()?.countries.find(({ country_code }) => country_code === asked.country_code);
      if (!from) return;
      chooseCountry(from.country_code);
      fillForm(formOf(asked, from.time_zone));
      const form = document.getElementById(JOB_FORM);
      form?.scrollIntoView({ block: "start" });
      form?.querySelector("select")?.focus();
    } catch (error) {
      notifyFault(error);
    } finally {
      busy.value = false;
    }
  };
  return (
    <div class="buttons">
      <button type="button" disabled={busy.value} onClick={() => void repeat()}>
        {text("job.repeat")}
      </button>
    </div>
  );
}

function State({ job }: { readonly job: JobStatus }): JSX.Element {
  const cancel = async (): Promise<void> => {
    try {
      putStatus(await cancelJob(job.job_id));
    } catch (error) {
      notifyFault(error);
    }
  };
  return (
    <div aria-live="polite" class="form">
      <p>
        <span class={`state ${job.status}`}>{text(`job.${job.status}`)}</span>{" "}
        <span class="hint">
          {job.finished_at === null
            ? text("job.since", { time: formatTime(job.created_at) })
            : text("job.at", { time: formatTime(job.finished_at) })}
        </span>
      </p>
      {!isFinished(job) && (
        <>
          <progress max={100} value={job.progress} aria-label={text("job.progress")} />
          <div class="buttons">
            <button type="button" onClick={() => void cancel()}>
              {text("job.cancel")}
            </button>
          </div>
        </>
      )}
      {job.error !== null && <p class="fault">{job.error}</p>}
      {job.warnings.map(({ code, detail }) => (
        <p key={`${code} ${detail}`} class="notice">
          {detail}
        </p>
      ))}
    </div>
  );
}

function Results({ id }: { readonly id: string }): JSX.Element {
  const results = useSignal<JobResults | undefined>(undefined);
  const fault = useSignal<unknown>(undefined);
  useEffect(() => {
    fetchResults(id).then(
      (found) => {
        results.value = found;
      },
      (error: unknown) => {
        fault.value = error;
      },
    );
  }, [id, results, fault]);
  if (fault.value !== undefined) return <Fault of={fault.value} />;
  const found = results.value;
  if (!found) return <p class="muted">{text("loading")}</p>;
  const days = found.data_versions.map(({ batch_date, version }) => text("job.day", { day: formatDay(batch_date), version }));
  return (
    <>
      {found.superseded === true && (
        <p class="notice">
          <span class="badge warning">{text("job.superseded")}</span> {text("job.superseded.why")}
        </p>
      )}
      <p>
        {text("job.rows", { rows: formatCount(found.total_rows) })} <span class="hint">{days.join(", ")}</span>
      </p>
      {"files" in found ? <FileList jobId={id} files={found.files} /> : <PreviewTable rows={found.preview} />}
    </>
  );
}
