import { messageOf } from "../shared/runtime/error-message.ts";

const LOGIN = "gcloud auth application-default login";

/** Returns the message of anything thrown. Where Google's clients found no credentials, or expired ones, it says how to log in. */
export function cloudFailure(error: unknown): string {
  const message = messageOf(error);
  if (message.includes("Could not load the default credentials")) return `There are no credentials for Google Cloud: run ${LOGIN}`;
  // RFC 6749, section 5.2: the refresh token has expired or was revoked.
  if (/\binvalid_(grant|rapt)\b/.test(message)) return `The credentials for Google Cloud have expired: run ${LOGIN} (${message})`;
  return message;
}
