import * as v from "valibot";
import { Problem } from "../../../../shared/http/problem.ts";

/** One error of a response that schemathesis calls a failure. A response with errors in several fields has one for each. */
export interface Reported {
  /** The code of the check, for example ST202 for a refused request that its schema allows. */
  readonly code: string;
  readonly title: string;
  /** Method and path of the operation, as in the document. */
  readonly operation: string;
  /** 0 if there was no response. */
  readonly status: number;
  /** The field that the error is of; undefined for an error of the whole request. */
  readonly field: string | undefined;
  readonly detail: string;
}

const Check = v.object({
  failure_info: v.nullish(v.object({ failure: v.object({ code: v.string(), title: v.string(), operation: v.string() }) })),
});
const Interaction = v.object({
  response: v.nullish(v.object({ status_code: v.number(), content: v.nullish(v.union([v.string(), v.object({ $base64: v.string() })])) })),
});
const Line = v.looseObject({
  ScenarioFinished: v.optional(
    v.object({
      recorder: v.object({
        checks: v.optional(v.record(v.string(), v.array(Check)), {}),
        interactions: v.optional(v.record(v.string(), Interaction), {}),
      }),
    }),
  ),
  EngineFinished: v.optional(v.object({ stop_reason: v.string() })),
});

/** Reads a report in NDJSON. Throws if a run ended early, or an error kept schemathesis from testing an operation. */
export function readReport(report: string): Reported[] {
  const lines = report
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => v.parse(Line, JSON.parse(line)));
  const errors = lines.filter((line) => "NonFatalError" in line || "FatalError" in line);
  if (errors.length > 0) throw new Error(`schemathesis met errors: ${JSON.stringify(errors)}`);
  if (lines.findLast(({ EngineFinished }) => EngineFinished)?.EngineFinished?.stop_reason !== "completed")
    throw new Error("schemathesis did not come to its end");
  return lines.flatMap(({ ScenarioFinished }) => {
    const { checks = {}, interactions = {} } = ScenarioFinished?.recorder ?? {};
    return Object.entries(checks).flatMap(([id, ofCase]) =>
      ofCase.flatMap(({ failure_info: info }) => (info ? errorsOf(info.failure, interactions[id]?.response) : [])),
    );
  });
}

type Response = v.InferOutput<typeof Interaction>["response"];

function errorsOf(failure: Pick<Reported, "code" | "title" | "operation">, response: Response): Reported[] {
  const { content } = response ?? {};
  const text = typeof content === "object" && content !== null ? Buffer.from(content.$base64, "base64").toString("utf8") : (content ?? "");
  const common = { ...failure, status: response?.status_code ?? 0 };
  const problem = v.safeParse(v.pipe(v.string(), v.parseJson(), Problem), text);
  if (!problem.success) return [{ ...common, field: undefined, detail: text.slice(0, 300) }];
  const { errors, detail } = problem.output;
  if (errors === undefined) return [{ ...common, field: undefined, detail }];
  return errors.map((error) => ({ ...common, field: error.pointer.split("/")[1], detail: error.detail }));
}
