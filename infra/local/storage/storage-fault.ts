/** The kinds of errors of the local Cloud Storage: HTTP status, `reason` of the JSON API, code and message of the XML API. */
const KINDS = {
  invalid: [400, "invalid", "InvalidArgument", "Invalid argument."],
  required: [400, "required", "InvalidArgument", "Invalid argument."],
  // Not 501, which Google's clients repeat for minutes.
  notImplemented: [400, "notImplemented", "NotImplemented", "The requested function is not implemented."],
  expiredToken: [400, "invalid", "ExpiredToken", "Invalid argument."],
  malformedSecurityHeader: [400, "invalid", "MalformedSecurityHeader", "Invalid argument."],
  unauthenticated: [401, "required", "AuthenticationRequired", "Authentication required."],
  badCredentials: [401, "authError", "AuthenticationRequired", "Authentication required."],
  forbidden: [403, "forbidden", "AccessDenied", "Access denied."],
  invalidSecurity: [403, "forbidden", "InvalidSecurity", "Access denied."],
  requestTimeTooSkewed: [403, "forbidden", "RequestTimeTooSkewed", "Access denied."],
  signatureDoesNotMatch: [403, "forbidden", "SignatureDoesNotMatch", "Access denied."],
  bucketNotFound: [404, "notFound", "NoSuchBucket", "The specified bucket does not exist."],
  objectNotFound: [404, "notFound", "NoSuchKey", "The specified key does not exist."],
  pathNotFound: [404, "notFound", "InvalidURI", "Couldn't parse the specified URI."],
  conditionNotMet: [412, "conditionNotMet", "PreconditionFailed", "At least one of the pre-conditions you specified did not hold."],
  rangeNotSatisfiable: [416, "requestedRangeNotSatisfiable", "InvalidRange", "The requested range cannot be satisfied."],
  uploadCancelled: [499, "clientClosedRequest", "ClientClosedRequest", "Client Closed Request"],
  internal: [500, "backendError", "InternalError", "We encountered an internal error. Please try again."],
  diskFull: [503, "backendError", "ServiceUnavailable", "We encountered an internal error. Please try again."],
  uploadTooFar: [503, "backendError", "ServiceUnavailable", "We encountered an internal error. Please try again."],
} as const satisfies Record<string, readonly [status: number, reason: string, xmlCode: string, xmlMessage: string]>;

export type FaultKind = keyof typeof KINDS;

/** An error in Google's terms. Its wire format depends on the API that was called. */
export class StorageFault extends Error {
  override readonly name = "StorageFault";
  readonly kind: FaultKind;
  readonly status: number;
  /** `reason` of the JSON API. */
  readonly reason: string;
  readonly xmlCode: string;
  readonly xmlMessage: string;
  /** Headers of the error response, such as `WWW-Authenticate`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Further elements of the XML API's error. */
  readonly xmlElements: Readonly<Record<string, string>>;

  constructor(
    kind: FaultKind,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    xmlElements: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    [this.status, this.reason, this.xmlCode, this.xmlMessage] = KINDS[kind];
    this.kind = kind;
    this.headers = headers;
    this.xmlElements = xmlElements;
  }
}

export function bucketNotFound(): StorageFault {
  return new StorageFault("bucketNotFound", "The specified bucket does not exist.");
}

export function objectNotFound(bucket: string, name: string): StorageFault {
  return new StorageFault("objectNotFound", `No such object: ${bucket}/${name}`);
}

export function conditionNotMet(): StorageFault {
  return new StorageFault("conditionNotMet", "At least one of the pre-conditions you specified did not hold.");
}

export function invalid(message: string): StorageFault {
  return new StorageFault("invalid", message);
}

export function notImplemented(what: string): StorageFault {
  return new StorageFault("notImplemented", `${what} is not supported by the local Cloud Storage.`);
}

/** An upload over an object that the caller may not delete. */
export function mayNotReplace(): StorageFault {
  const permission = "storage.objects.delete";
  return new StorageFault(
    "forbidden",
    `The caller does not have ${permission} access to the Google Cloud Storage object. Permission '${permission}' denied on resource (or it may not exist).`,
  );
}
