import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { JOB_STATES } from "../api/jobs.ts";
import { Fault } from "../controls/fault.tsx";
import { WordOptions } from "../controls/word-options.tsx";
import { route } from "../shell/route.ts";
import { text } from "../texts.ts";
import { JobFormPanel } from "./job-form.tsx";
import { JobPanel } from "./job-panel.tsx";
import { JobTable } from "./job-table.tsx";
import { filter, jobs, jobsFault, loadJobs, loadMore, nextCursor, readJobs } from "./store.ts";

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
  const isFiltered = Object.keys(filter.value).length > 0;
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
              <WordOptions values={PRODUCTS} prefix="product" />
            </select>
            <select
              aria-label={text("jobs.filter.state")}
              value={filter.value.status ?? ""}
              onChange={({ currentTarget }) => setFilter({ status: currentTarget.value })}
            >
              <option value="">{text("jobs.filter.anyState")}</option>
              <WordOptions values={JOB_STATES} prefix="job" />
            </select>
          </div>
        </div>
        <Fault of={jobsFault.value} onAgain={() => void loadJobs()} />
        {jobs.value === undefined && jobsFault.value === undefined && <p class="muted">{text("loading")}</p>}
        {jobs.value?.length === 0 && <p class="empty">{text(isFiltered ? "jobs.noneFound" : "jobs.none")}</p>}
        {jobs.value !== undefined && jobs.value.length > 0 && <JobTable jobs={jobs.value} open={rest} />}
        {nextCursor.value !== undefined && (
          <button type="button" onClick={() => void loadMore()}>
            {text("jobs.more")}
          </button>
        )}
      </div>
    </div>
  );
}
