import { toProtoTime } from "../tasks/wire/message-fields.ts";

/** The two encodings of answers: messages for gRPC, JSON for REST. Times and durations are given in milliseconds. */
export interface Form {
  bytes(value: Buffer): Buffer | string;
  time(milliseconds: number): object | string;
  duration(milliseconds: number): object | string;
}

export const PROTO_FORM: Form = { bytes: (value) => value, time: toProtoTime, duration: toProtoTime };

export const JSON_FORM: Form = {
  bytes: (value) => value.toString("base64"),
  time: (milliseconds) => new Date(milliseconds).toISOString(),
  duration: (milliseconds) => `${Number((milliseconds / 1000).toFixed(9))}s`,
};
