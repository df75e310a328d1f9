import * as v from "valibot";
import { Timestamp } from "../http/fields.ts";
import { PROFILES } from "./key-grants.ts";

export const Profile = v.pipe(v.picklist(PROFILES), v.title("Profile"));
export type Profile = v.InferOutput<typeof Profile>;

export const LoginBody = v.pipe(v.strictObject({ service: v.optional(Profile, "storage") }), v.title("Login"));

export const LoginResponse = v.pipe(
  v.strictObject({
    accessToken: v.string(),
    userId: v.string(),
    expireTime: Timestamp,
  }),
  v.title("Token"),
);
