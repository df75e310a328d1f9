import { createHash } from "node:crypto";
import type { Config } from "../runtime/config.ts";

/** A customer with what is recorded about where its service accounts are. Customers stored before this existed are in the first project. */
export interface PlacedCustomer {
  readonly uid: string;
  readonly accountsProject?: string | undefined;
}

/** A project of customers' accounts, and how many customers it has. */
export interface ProjectUse {
  readonly project: string;
  readonly customers: number;
}

/** Service accounts of one customer: one a profile. */
const ACCOUNTS_OF_CUSTOMER = 2;

/** Returns the project of a customer's service accounts, datasets and listing. The record decides: an account cannot move. */
export function accountsProjectOf({ accountsProjects: [first] }: Pick<Config, "accountsProjects">, customer: PlacedCustomer): string {
  return customer.accountsProject ?? first;
}

/**
 * Returns the project for a new customer: of those with room for its accounts, the one whose hash with the uid is the highest (rendezvous
 * hashing), so that customers spread evenly, and a project that is added or full changes nothing between the others. Undefined if all are full.
 */
export function placeCustomer(uid: string, projects: readonly ProjectUse[], accountsMax: number): string | undefined {
  const weightOf = (project: string): string => createHash("sha256").update(`${project} ${uid}`).digest("hex");
  const open = projects.filter(({ customers }) => (customers + 1) * ACCOUNTS_OF_CUSTOMER <= accountsMax);
  const weighed = open.map(({ project }) => ({ project, weight: weightOf(project) }));
  return weighed.reduce<(typeof weighed)[number] | undefined>((best, one) => (best && best.weight >= one.weight ? best : one), undefined)
    ?.project;
}

/** Returns how many of the customers are in each project, in the order of the projects. */
export function usesOf(config: Pick<Config, "accountsProjects">, customers: readonly PlacedCustomer[]): ProjectUse[] {
  return config.accountsProjects.map((project) => ({
    project,
    customers: customers.filter((customer) => accountsProjectOf(config, customer) === project).length,
  }));
}
