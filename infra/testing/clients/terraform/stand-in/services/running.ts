import { type Fields, fields, items, text } from "../json.ts";
import { type Kind, lastPart, paths } from "../kinds.ts";
import { serviceUrl } from "../references.ts";

/** What Cloud Run says of whatever runs. */
const READY: Fields = {
  generation: "1",
  observedGeneration: "1",
  launchStage: "GA",
  terminalCondition: { type: "Ready", state: "CONDITION_SUCCEEDED" },
};
const PROBE: Fields = { timeoutSeconds: 240, periodSeconds: 240, failureThreshold: 1, tcpSocket: { port: 8080 } };

function container(one: Fields): Fields {
  const ports = Array.isArray(one.ports) ? one.ports : [{ containerPort: 8080 }];
  return { startupProbe: PROBE, ...one, ports: items(ports).map((port) => ({ name: "http1", ...fields(port) })) };
}

/** Cloud Run, and what calls it: Cloud Scheduler, Cloud Tasks and Pub/Sub. */
export const running: readonly Kind[] = [
  {
    host: "run.googleapis.com",
    path: paths("projects/*/locations/*/services/*"),
    id: ({ query }) => query.get("serviceId") ?? "",
    isOperation: true,
    shown: (service, { project, id }) => {
      const template = fields(service.template);
      return {
        ...READY,
        traffic: [{ type: "TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST", percent: 100 }],
        ...service,
        template: {
          scaling: { maxInstanceCount: 100 },
          timeout: "300s",
          maxInstanceRequestConcurrency: 80,
          ...template,
          containers: items(template.containers).map((one) => container(fields(one))),
        },
        uri: serviceUrl(project, id),
        urls: [serviceUrl(project, id)],
      };
    },
  },
  {
    host: "run.googleapis.com",
    path: paths("projects/*/locations/*/jobs/*"),
    id: ({ query }) => query.get("jobId") ?? "",
    isOperation: true,
    shown: (job) => {
      const execution = fields(job.template);
      const template = { executionEnvironment: "EXECUTION_ENVIRONMENT_GEN2", ...fields(execution.template) };
      return { ...READY, ...job, template: { taskCount: 1, ...execution, template } };
    },
  },
  {
    host: "cloudscheduler.googleapis.com",
    path: paths("projects/*/locations/*/jobs/*"),
    id: ({ body }) => lastPart(text(body.name)),
    shown: (job) => {
      const target = fields(job.httpTarget);
      const retries = { maxRetryDuration: "0s", minBackoffDuration: "5s", maxBackoffDuration: "3600s", maxDoublings: 5 };
      return {
        state: "ENABLED",
        attemptDeadline: "180s",
        ...job,
        httpTarget: { ...target, headers: { "User-Agent": "Google-Cloud-Scheduler", ...fields(target.headers) } },
        ...(job.retryConfig === undefined ? {} : { retryConfig: { ...retries, ...fields(job.retryConfig) } }),
      };
    },
  },
  {
    host: "cloudtasks.googleapis.com",
    path: paths("projects/*/locations/*/queues/*"),
    id: ({ body }) => lastPart(text(body.name)),
    shown: (queue) => ({ state: "RUNNING", ...queue, rateLimits: { maxBurstSize: 10, ...fields(queue.rateLimits) } }),
  },
  { host: "pubsub.googleapis.com", path: paths("projects/*/topics/*") },
  {
    host: "pubsub.googleapis.com",
    path: paths("projects/*/subscriptions/*"),
    shown: (subscription) => ({ state: "ACTIVE", messageRetentionDuration: "604800s", pushConfig: {}, ...subscription }),
  },
];
