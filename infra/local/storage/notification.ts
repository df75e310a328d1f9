import type { ObjectMetadata } from "./object-metadata.ts";
import { objectResource } from "./resources.ts";

/** A message of Pub/Sub as its REST API takes it. */
export interface NotificationMessage {
  readonly attributes: Readonly<Record<string, string>>;
  /** Base64. */
  readonly data: string;
}

/** The notification of the landing bucket is limited to names with this prefix, as in Terraform. */
export const LANDING_PREFIX = "landing/";

/**
 * Returns the message by which Cloud Storage tells that an object is whole.
 * Source: https://cloud.google.com/storage/docs/pubsub-notifications
 * @param origin the base of the object's links, `http://host:port`
 */
export function finalizedMessage(object: ObjectMetadata, origin: string, previous: ObjectMetadata | undefined): NotificationMessage {
  const { bucket, name, generation, updated } = object;
  return {
    attributes: {
      notificationConfig: `projects/_/buckets/${bucket}/notificationConfigs/1`,
      eventType: "OBJECT_FINALIZE",
      payloadFormat: "JSON_API_V1",
      bucketId: bucket,
      objectId: name,
      objectGeneration: String(generation),
      eventTime: updated,
      ...(previous ? { overwroteGeneration: String(previous.generation) } : {}),
    },
    data: Buffer.from(JSON.stringify(objectResource(object, origin))).toString("base64"),
  };
}
