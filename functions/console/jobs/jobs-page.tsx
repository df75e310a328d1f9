import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { messageOf } from "../api/problem.ts";
import { formatTime } from "../format/format.ts";
import { addressOfPage, route } from "../shell/route.ts";
import { isTextName, text } from "../texts.ts";
import { JobFormPanel } from "./job-form.tsx";
import { JobPanel } from "./job-panel.tsx";
import { filter, jobs, jobsFault, loadJobs, loadMore, nextCursor, readJobs } from "./store.ts";

const STATES = ["queued", "running", "completed", "failed", "cancelled", "expired"] as const;
const PRODUCTS = ["activities", "odm", "flow"] as const;

/** Jobs of the customer, newest first, and the form of a new one. */
export function JobsPage(): JSX.Element {
  useEffect(() => {
    void loadJobs();
    return readJobs();
  }, []);
  const { rest } = route.value;
  const setFilter = (change: { readonly status?: string; readonly agg_type?: string }): void => {
    const merged = Object.entries({ ...filter.value, ...change }).filter(([, value]) => value !== "");
    filter.value = Object.fromEntries(merged);
    void loadJobs();
  };
  return (
    <div class="page split">
      <JobFormPanel />
      <div class="column">
        {rest !== undefined && <JobPanel key={rest} id={rest} />}
        <div class="page-head">
          <h1>{text("page.jobs")}</h1>
          <div class="buttons">
            <select
              aria-label={text("jobs.filter.product")}
              value={filter.value.agg_type ?? ""}
              onChange={({ currentTarget }) => setFilter({ agg_type: currentTarget.value })}
            >
              <option value="">{text("jobs.filter.anyProduct")}</option>
              {PRODUCTS.map((name) => (
                <option key={name} value={name}>
                  {text(`product.${name}`)}
                </option>
              ))}
            </select>
            <select
              aria-label={text("jobs.filter.state")}
              value={filter.value.status ?? ""}
              onChange={({ currentTarget }) => setFilter({ status: currentTarget.value })}
            >
              <option value="">{text("jobs.filter.anyState")}</option>
              {STATES.map((state) => (
                <option key={state} value={state}>
                  {text(`job.${state}`)}
                </option>
              ))}
            </select>
          </div>
        </div>
        {jobsFault.value !== undefined && (
          <p class="fault" role="alert">
            {messageOf(jobsFault.value)}
          </p>
        )}
        {jobs.value === undefined && jobsFault.value === undefined && <p class="muted">{text("loading")}</p>}
        {jobs.value?.length === 0 && <p class="empty">{text("jobs.none")}</p>}
        {(jobs.value?.length ?? 0) > 0 && (
          <div class="table-place">
            <table>
              <thead>
                <tr>
                  <th scope="col">{text("jobs.created")}</th>
                  <th scope="col">{text("jobs.product")}</th>
                  <th scope="col">{text("jobs.country")}</th>
                  <th scope="col">{text("jobs.result")}</th>
                  <th scope="col">{text("jobs.state")}</th>
                </tr>
              </thead>
              <tbody>
                {jobs.value?.map((job) => {
                  const product = `product.${job.agg_type}`;
                  return (
                    <tr key={job.job_id} class={job.job_id === rest ? "selected" : undefined}>
                      <td>
                        <a href={addressOfPage("jobs", job.job_id)}>{formatTime(job.created_at)}</a>
                      </td>
                      <td>{isTextName(product) ? text(product) : job.agg_type}</td>
                      <td>{job.country_code}</td>
                      <td>{text(job.full ? "jobs.result.files" : "jobs.result.preview")}</td>
                      <td>
                        <span class={`state ${job.status}`}>{text(`job.${job.status}`)}</span>
                        {job.status === "running" && <span class="hint"> {job.progress} %</span>}
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </div>
        )}
        {nextCursor.value !== undefined && (
          <button type="button" onClick={() => void loadMore()}>
            {text("jobs.more")}
          </button>
        )}
      </div>
    </div>
  );
}
