import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountsProjectOf, placeCustomer, usesOf } from "./accounts-project.ts";
import { newUid } from "./customer-lifecycle.ts";

const Project = fc.stringMatching(/^[a-z][a-z0-9-]{4,20}[a-z0-9]$/);
const Projects = fc.uniqueArray(Project, { minLength: 1, maxLength: 8 });
const Uid = fc.stringMatching(/^[a-z][a-z2-7]{11}$/);
const empty = (projects: readonly string[]) => projects.map((project) => ({ project, customers: 0 }));

describe("a new customer is placed", () => {
  it("in a project with room for both its accounts, and nowhere if none has", () => {
    const Uses = fc.uniqueArray(fc.record({ project: Project, customers: fc.nat(60) }), {
      selector: ({ project }) => project,
      maxLength: 8,
    });
    fc.assert(
      fc.property(Uid, Uses, fc.nat(120), (uid, uses, accountsMax) => {
        const open = uses.filter(({ customers }) => 2 * customers + 2 <= accountsMax).map(({ project }) => project);
        const placed = placeCustomer(uid, uses, accountsMax);
        if (placed === undefined) expect(open).toEqual([]);
        else expect(open).toContain(placed);
      }),
      { seed: 1 },
    );
  });

  it("in the same project whatever the order of the list", () => {
    fc.assert(
      fc.property(Uid, Projects, (uid, projects) => {
        expect(placeCustomer(uid, empty(projects.toReversed()), 100)).toBe(placeCustomer(uid, empty(projects), 100));
      }),
      { seed: 1 },
    );
  });

  it("where it would have been before a project was added, or in that one", () => {
    fc.assert(
      fc.property(Uid, Projects, Project, (uid, projects, added) => {
        expect([placeCustomer(uid, empty(projects), 100), added]).toContain(placeCustomer(uid, empty([...projects, added]), 100));
      }),
      { seed: 1 },
    );
  });

  it("where it would have been if another project had not become full", () => {
    fc.assert(
      fc.property(Uid, Projects, fc.nat(), (uid, projects, index) => {
        const before = placeCustomer(uid, empty(projects), 100);
        const full = projects[index % projects.length];
        const after = placeCustomer(
          uid,
          empty(projects).map((use) => (use.project === full ? { ...use, customers: 50 } : use)),
          100,
        );
        if (before !== full) expect(after).toBe(before);
        else expect(after).not.toBe(full);
      }),
      { seed: 1 },
    );
  });

  it("evenly: each of five projects gets a fifth of 10,000, within five standard deviations", () => {
    const projects = ["populus-prod-a", "populus-prod-b", "populus-prod-c", "populus-prod-d", "populus-prod-e"];
    const placed = Array.from({ length: 10_000 }, (_, index) => placeCustomer(`customer${index}`, empty(projects), 100));
    for (const project of projects) {
      const count = placed.filter((one) => one === project).length;
      expect(Math.abs(count - 2000), project).toBeLessThan(5 * Math.sqrt(10_000 * 0.2 * 0.8));
    }
  });
});

describe("a customer that exists", () => {
  const config = { accountsProjects: ["first-project", "second-project"] } as const;

  it("is where it was recorded, or in the first project if it was stored before there were several", () => {
    const uid = newUid();
    expect(accountsProjectOf(config, { uid })).toBe("first-project");
    expect(accountsProjectOf(config, { uid, accountsProject: "second-project" })).toBe("second-project");
    expect(accountsProjectOf(config, { uid, accountsProject: "former-project" })).toBe("former-project");
  });

  it("takes room in its project only", () => {
    const customers = [{ uid: "a" }, { uid: "b", accountsProject: "second-project" }, { uid: "c", accountsProject: "former-project" }];
    expect(usesOf(config, [...customers, { uid: "d", accountsProject: "first-project" }])).toEqual([
      { project: "first-project", customers: 2 },
      { project: "second-project", customers: 1 },
    ]);
  });
});
