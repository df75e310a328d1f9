import * as v from "valibot";
import { Timestamp } from "../http/fields.ts";
import { PROFILES } from "./key-grants.ts";

export const Profile = v.picklist(PROFILES);
export type Profile = v.InferOutput<typeof Profile>;

export const LoginBody = v.strictObject({
  service: v.optional(Profile, "storage"),
});

export const LoginResponse = v.strictObject({
  accessToken: v.string(),
  userId: v.string(),
  expireTime: Timestamp,
});
