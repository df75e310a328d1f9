import type { JSX } from "preact";
import type { ListedJob } from "../api/jobs.ts";
import { formatTime } from "../format/format.ts";
import { session } from "../session/session.ts";
import { addressOfPage } from "../shell/route.ts";
import { text, textOr } from "../texts.ts";

interface JobTableProps {
  readonly jobs: readonly ListedJob[];
  /** The id of the job that is open. */
  readonly open: string | undefined;
}

/** Jobs of all keys of the customer, newest first. */
export function JobTable({ jobs, open }: JobTableProps): JSX.Element {
  return (
    <div class="table-place">
      <table class="listed jobs">
        <thead>
          <tr>
            <th scope="col">{text("jobs.created")}</th>
            <th scope="col">{text("jobs.product")}</th>
            <th scope="col">{text("jobs.country")}</th>
            <th scope="col">{text("jobs.result")}</th>
            <th scope="col">{text("jobs.by")}</th>
            <th scope="col">{text("jobs.state")}</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr key={job.job_id} class={job.job_id === open ? "selected" : undefined}>
              <td class="time">
                <a href={addressOfPage("jobs", job.job_id)}>{formatTime(job.created_at)}</a>
              </td>
              <td class="product">{textOr(`product.${job.agg_type}`, job.agg_type)}</td>
              <td>{job.country_code}</td>
              <td>{text(job.full ? "jobs.result.files" : "jobs.result.preview")}</td>
              <td>
                {job.submitted_by}
                {job.submitted_by === session.value?.me.keyLabel && <span class="badge">{text("keys.own")}</span>}
              </td>
              <td class="job-state">
                <span class={`state ${job.status}`}>{text(`job.${job.status}`)}</span>
                {job.status === "running" && <span class="hint"> {job.progress} %</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
