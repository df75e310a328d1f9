import { createHash } from "node:crypto";
import type { Fields } from "./json.ts";
import { notFound } from "./refusal.ts";

/** The time at which everything was made: an answer is the same twice. */
export const MADE = "2026-01-01T00:00:00Z";
/** Google's own accounts of a project, which it makes when an API is enabled. */
const AGENTS = /^(service-(\d+)@[\w-]+\.iam|bq-(\d+)@bigquery-encryption\.iam)\.gserviceaccount\.com$/;

/** What exists, by `host/path` without the version of the API. */
export class Store {
  readonly resources = new Map<string, Fields>();
  readonly policies = new Map<string, Fields>();
  readonly operations = new Map<string, Fields>();
  /** Numbers by project. */
  readonly #numbers: ReadonlyMap<string, string>;
  #made = 0;

  constructor(projects: readonly string[]) {
    this.#numbers = new Map(projects.map((project, index) => [project, String(1001 + index)]));
  }

  /** Returns another number each time, as Google names channels, policies and operations. */
  nextNumber(): string {
    this.#made += 1;
    return String(1_000_000_000_000_000 + this.#made);
  }

  /** Returns a project's number. Throws a Refusal if there is no such project. */
  numberOf(project: string): string {
    const number = this.#numbers.get(this.idOf(project));
    if (number === undefined) throw notFound(`There is no project ${project}`);
    return number;
  }

  /** Returns the id of a project that is named by its id or its number. */
  idOf(project: string): string {
    for (const [id, number] of this.#numbers) if (number === project) return id;
    return project;
  }

  hasProject(project: string): boolean {
    return this.#numbers.has(this.idOf(project));
  }

  /** Returns a path with its project's id in the place of its number. */
  withIds(path: string): string {
    return path.replace(/^projects\/(\d+)(?=[/:]|$)/, (_, number: string) => `projects/${this.idOf(number)}`);
  }

  /** Whether a service account is there: one of the project's own, or Google's. */
  hasAccount(email: string): boolean {
    const [, , service, encryption] = AGENTS.exec(email) ?? [];
    const number = service ?? encryption;
    if (number !== undefined) return this.idOf(number) !== number;
    const [, project = ""] = /@([\w-]+)\.iam\.gserviceaccount\.com$/.exec(email) ?? [];
    return this.resources.has(`iam.googleapis.com/projects/${project}/serviceAccounts/${email}`);
  }

  /** Returns all resources and policies by name, without what every change of a policy changes. */
  contents(): Record<string, Fields> {
    const policies = [...this.policies].map(([name, { etag: _, ...policy }]) => [`policy of ${name}`, policy] as const);
    return Object.fromEntries([...this.resources, ...policies]);
  }

  /** Returns the resources of a collection, without those below them. */
  listed(collection: string): Fields[] {
    const prefix = `${collection}/`;
    return [...this.resources]
      .filter(([name]) => name.startsWith(prefix) && !name.slice(prefix.length).includes("/"))
      .map(([, resource]) => resource);
  }
}

/** Returns a number of 32 hexadecimal digits that a text always has. */
export function digest(content: string | Buffer, encoding: "hex" | "base64" = "hex"): string {
  return createHash("md5").update(content).digest(encoding);
}
