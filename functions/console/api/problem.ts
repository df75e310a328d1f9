import * as v from "valibot";
import { text } from "../texts.ts";

const Problem = v.object({
  status: v.number(),
  code: v.string(),
  detail: v.string(),
  errors: v.optional(
    v.array(
      v.object({
        pointer: v.string(),
        detail: v.string(),
        ring: v.optional(v.number()),
        point: v.optional(v.number()),
      }),
    ),
    [],
  ),
});

export type FieldFault = v.InferOutput<typeof Problem>["errors"][number];

/** A request that the service refused, or could not be asked: `status` 0. `detail` is a sentence for people. */
export class RequestFailed extends Error {
  readonly status: number;
  readonly code: string;
  readonly faults: readonly FieldFault[];

  constructor(status: number, code: string, detail: string, faults: readonly FieldFault[] = []) {
    super(detail);
    this.name = "RequestFailed";
    this.status = status;
    this.code = code;
    this.faults = faults;
  }
}

/** A request whose session has ended: nobody waits for its answer any more, nor for why there is none. */
export class SessionEnded extends Error {}

/** What a host answered; `json` is undefined if that was no JSON. */
export interface Answer extends Pick<Response, "status" | "ok" | "headers"> {
  readonly host: string;
  readonly json: unknown;
}

/** Returns the failure that an answer tells: a problem document (RFC 9457), or anything else from an intermediary. */
export function failureOf({ host, status: answered, json }: Answer): RequestFailed {
  const parsed = v.safeParse(Problem, json);
  if (!parsed.success) return new RequestFailed(answered, "unknown", text("error.answered", { host, status: answered }));
  const { status, code, detail, errors } = parsed.output;
  return new RequestFailed(status, code, detail, errors);
}
