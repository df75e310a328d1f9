import { useSignal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { messageOf } from "../../../shared/runtime/error-message.ts";
import type { Product } from "../api/account.ts";
import { type Estimate, estimateJob, submitJob } from "../api/jobs.ts";
import { Fault } from "../controls/fault.tsx";
import { lastOfDays } from "../format/days.ts";
import { formatBytes, formatCount } from "../format/format.ts";
import { country, refreshSession } from "../session/session.ts";
import { go } from "../shell/route.ts";
import { text } from "../texts.ts";
import { BytesLeft } from "./bytes-left.tsx";
import { Choice, Day, Field, Typed } from "./fields.tsx";
import { changeForm, JOB_FORM, type JobForm, jobForm, products, requestOf } from "./form-state.ts";
import { geoTypesOf } from "./geo-types.ts";
import { loadJobs } from "./store.ts";

const ESTIMATE_AFTER_MS = 500;
const FORMATS = ["csv", "parquet", "json"];

/** The form of a new job. It offers what the country has, and tells what the job would read, return and cost. */
export function JobFormPanel(): JSX.Element | null {
  const estimate = useSignal<Estimate | undefined>(undefined);
  const fault = useSignal<string | undefined>(undefined);
  const busy = useSignal(false);
  useSignalEffect(() => {
    const [current, chosen] = [jobForm.value, country.value];
    estimate.value = undefined;
    fault.value = undefined;
    if (!current || !chosen) return undefined;
    const abort = new AbortController();
    const ask = async (): Promise<void> => {
      try {
        const answer = await estimateJob(requestOf(current, chosen), abort.signal);
        if (!abort.signal.aborted) estimate.value = answer;
      } catch (error) {
        if (!abort.signal.aborted) fault.value = messageOf(error);
      }
    };
    const timer = setTimeout(() => void ask(), ESTIMATE_AFTER_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  });
  const [current, chosen] = [jobForm.value, country.value];
  if (!current || !chosen) return null;
  const product = products.value.find(({ agg_type }) => agg_type === current.product);
  const first = current.firstDay === "" ? undefined : current.firstDay;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    busy.value = true;
    try {
      const id = await submitJob(requestOf(current, chosen), crypto.randomUUID());
      await loadJobs();
      go("jobs", id);
      await refreshSession();
    } catch (error) {
      fault.value = messageOf(error);
      // What is left of the limits may be why.
      await refreshSession().catch(() => undefined);
    } finally {
      busy.value = false;
    }
  };
  return (
    <form id={JOB_FORM} class="card form" aria-label={text("jobs.new")} onSubmit={(event) => void submit(event)} noValidate>
      <h2>{text("jobs.new")}</h2>
      <Choice name="product" label={text("jobs.product")} values={products.value.map(({ agg_type }) => agg_type)} prefix="product" />
      {current.product === "flow" ? (
        <Typed name="place" label={text("jobs.place")} hint={text("jobs.place.hint")} />
      ) : (
        product && <Areas form={current} product={product} />
      )}
      <div class="pair">
        <Day name="firstDay" label={text("jobs.first")} />
        <Day
          name="lastDay"
          label={text("jobs.last")}
          min={first}
          max={first && lastOfDays(first, chosen.window_days_max, chosen.time_zone)}
        />
      </div>
      <p class="hint">{text("jobs.days.hint", { zone: chosen.time_zone, most: chosen.window_days_max })}</p>
      <Field label={text("jobs.result")} id="job-full">
        <select
          id="job-full"
          value={String(current.full)}
          onChange={({ currentTarget }) => changeForm({ full: currentTarget.value === "true" })}
        >
          <option value="true">{text("jobs.result.files")}</option>
          <option value="false">{text("jobs.result.preview")}</option>
        </select>
      </Field>
      {current.full && <Choice name="format" label={text("jobs.format")} values={FORMATS} prefix="format" />}
      <div class="estimate" aria-live="polite">
        {estimate.value && (
          <p>
            {text("jobs.estimate", {
              rows: formatCount(estimate.value.estimated_rows_max),
              bytes: formatBytes(estimate.value.estimated_bytes_max),
              cost: money(estimate.value),
            })}
          </p>
        )}
        <BytesLeft needed={estimate.value?.estimated_bytes_max} />
        <Fault of={fault.value} />
      </div>
      <button type="submit" class="primary" disabled={busy.value}>
        {text(busy.value ? "jobs.submitting" : "jobs.submit")}
      </button>
    </form>
  );
}

/** What is asked about areas: of all products but Flow. */
function Areas({ form, product }: { readonly form: JobForm; readonly product: Product }): JSX.Element {
  const hasDestinations = product.agg_type === "odm";
  return (
    <>
      {product.measures.length > 0 && <Choice name="measure" label={text("jobs.measure")} values={product.measures} prefix="measure" />}
      {product.activity_types.length > 0 && !hasDestinations && (
        <Choice name="activityType" label={text("jobs.per")} values={product.activity_types} prefix="per" />
      )}
      <Choice
        name="geoType"
        label={text(hasDestinations ? "jobs.origins" : "jobs.areas")}
        values={geoTypesOf(product, form)}
        prefix="type"
      />
      <Typed name="ids" label={text("jobs.ids")} hint={text("jobs.ids.hint")} />
      {hasDestinations && (
        <>
          {product.mixed && <Choice name="destinationType" label={text("jobs.destinations")} values={product.geo_types} prefix="type" />}
          <Typed name="destinationIds" label={text("jobs.destinationIds")} hint={text("jobs.ids.hint")} />
        </>
      )}
    </>
  );
}

function money({ estimated_cost_max: { amount, currency } }: Estimate): string {
  return new Intl.NumberFormat("en-GB", { style: "currency", currency, maximumSignificantDigits: 2, currencyDisplay: "code" }).format(
    amount,
  );
}
