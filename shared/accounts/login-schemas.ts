import * as v from "valibot";
import { Timestamp } from "../http/fields.ts";

/** The service profiles: which tokens a key may mint. */
export const PROFILES = ["storage", "warehouse"] as const;
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
