/** What Google answers instead of a resource: an HTTP status, its name and a message. */
export class Refusal extends Error {
  readonly code: number;
  readonly status: string;

  constructor(code: number, status: string, message: string) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** Returns the refusal of a request that is wrong in itself. */
export function invalid(message: string): Refusal {
  return new Refusal(400, "INVALID_ARGUMENT", message);
}

/** Returns the refusal of a request for what is not there. */
export function notFound(message: string): Refusal {
  return new Refusal(404, "NOT_FOUND", message);
}

/** Returns the refusal of what is there, or was changed by somebody else. */
export function conflict(status: "ALREADY_EXISTS" | "ABORTED", message: string): Refusal {
  return new Refusal(409, status, message);
}
