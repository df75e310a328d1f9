import { describe, expect, it } from "vitest";
import { utcDate } from "../runtime/time.ts";
import { createLeases, type Hold } from "./leases.ts";

const GB = 1_000_000_000;
const EVENING = new Date("2026-11-20T23:59:00Z");
const NEXT_DAY = new Date("2026-11-21T00:00:00Z");

/** The leased bytes of all customers in memory, and their limits, with processes that lease. */
function customers(limits: Readonly<Record<string, number>>) {
  const days = new Map<string, number>();
  let now = EVENING;
  let calls = 0;
  const leasedBytes = {
    on: async (uid: string, instant: Date) => days.get(`${uid} ${utcDate(instant)}`) ?? 0,
    add: async (uid: string, instant: Date, bytes: number) => {
      calls++;
      const day = `${uid} ${utcDate(instant)}`;
      days.set(day, (days.get(day) ?? 0) + bytes);
    },
  };
  const budgetOf = async (uid: string) => ({ limits: { bytesPerDay: limits[uid] ?? 0 } });
  return {
    process: () => createLeases({ leasedBytes, budgetOf, now: () => now, log: () => undefined }),
    leased: (uid: string, instant = now) => days.get(`${uid} ${utcDate(instant)}`) ?? 0,
    writes: () => calls,
    goTo: (instant: Date) => {
      now = instant;
    },
  };
}

describe("leases", () => {
  it("are of one gigabyte: a thousand small queries cost two writes", async () => {
    const { process, leased, writes } = customers({ acme: 200 * GB });
    const leases = process();
    for (let query = 0; query < 1000; query++) await (await leases.hold("acme", 2_000_000)).settle(1_100_000);
    expect([leased("acme"), writes()]).toEqual([2 * GB, 2]);
  });

  it("that are prepared suffice for a query, once a day and process", async () => {
    const { process, leased, writes, goTo } = customers({ acme: 200 * GB, globex: 1 });
    const leases = process();
    await Promise.all([leases.prepare("acme"), leases.prepare("acme")]);
    await (await leases.hold("acme", 30_000_000)).settle(30_000_000);
    await leases.prepare("acme");
    expect([leased("acme"), writes()]).toEqual([GB, 1]);
    // To the last byte, after which no more are leased before a query wants them.
    await leases.hold("acme", GB - 30_000_000);
    await leases.prepare("acme");
    expect([leased("acme"), writes()]).toEqual([GB, 1]);
    goTo(NEXT_DAY);
    await leases.prepare("acme");
    expect([leased("acme"), writes()]).toEqual([GB, 2]);
  });

  it("cannot be prepared for a customer who has nothing left, which a query is told, nor by a process that ends", async () => {
    const { process, leased, writes } = customers({ acme: 200 * GB, globex: 1 });
    const leases = process();
    await leases.prepare("globex");
    await expect(leases.hold("globex", 1)).resolves.toBeDefined();
    await expect(leases.hold("globex", 10_000_000)).rejects.toMatchObject({ code: "resource_exhausted" });
    const [before, calls] = [leased("globex"), writes()];
    await leases.giveBack();
    await leases.prepare("acme");
    expect([before, leased("acme"), writes()]).toEqual([1, 0, calls]);
  });

  it("hold what is free for one query of a customer whose bytes are not known, and no more than one lease", async () => {
    const { process, leased, writes } = customers({ acme: 200 * GB, globex: 200 * GB });
    const leases = process();
    const first = await leases.holdFirst("acme");
    expect([first?.bytes, leased("acme"), writes()]).toEqual([GB, GB, 1]);
    // Another such query must be asked. A known one leases for itself.
    expect(await leases.holdFirst("acme")).toBeUndefined();
    expect((await leases.holdFirst("globex"))?.bytes).toBe(GB);
    const known = await leases.hold("acme", 30_000_000);
    expect(leased("acme")).toBe(2 * GB);
    expect(await leases.holdFirst("acme")).toBeUndefined();
    await first?.settle(20_000_000);
    await known.settle(30_000_000);
    expect(leased("acme")).toBeLessThanOrEqual(2 * GB);
    const burst = await Promise.all([leases.hold("acme", 5 * GB), leases.hold("acme", GB)]);
    await burst[0]?.settle(0);
    expect((await leases.holdFirst("acme"))?.bytes).toBe(GB);
  });

  it("hold nothing for such a query where little is free: of a small limit, at the end of a day, of a process that ends", async () => {
    const { process, leased } = customers({ acme: 200 * GB, globex: 9 * GB, none: 0 });
    const leases = process();
    expect(await leases.holdFirst("globex")).toBeUndefined();
    expect(await leases.holdFirst("none")).toBeUndefined();
    await leases.hold("acme", 950_000_000);
    expect(await leases.holdFirst("acme")).toBeUndefined();
    expect(leased("acme")).toBe(GB);
    const ended = process();
    await ended.giveBack();
    expect(await ended.holdFirst("acme")).toBeUndefined();
    expect(leased("acme")).toBe(GB);
  });

  it("held for such a query are free again when it is settled, without what it was billed", async () => {
    const { process, leased } = customers({ acme: 200 * GB });
    const leases = process();
    await (await leases.holdFirst("acme"))?.settle(30_000_000);
    expect((await leases.holdFirst("acme"))?.bytes).toBe(GB - 30_000_000);
    await leases.giveBack();
    expect(leased("acme")).toBe(GB);
  });

  it("stop a customer at its day, whatever the number of processes, and nobody else", async () => {
    const { process, leased } = customers({ acme: 5 * GB, globex: 5 * GB });
    const processes = [process(), process(), process()];
    let held = 0;
    for (let query = 0; query < 100; query++) {
      const hold = await processes[query % 3]?.hold("acme", 400_000_000).catch((error: unknown) => error);
      if (hold instanceof Error) expect(hold).toMatchObject({ code: "resource_exhausted" });
      else held++;
    }
    expect([held, leased("acme")]).toEqual([12, 4_800_000_000]);
    await processes[0]?.hold("globex", 400_000_000);
    expect(leased("globex")).toBeGreaterThan(0);
  });

  it("are only of what is missing to what is free", async () => {
    const { process, leased } = customers({ acme: 200 * GB });
    const leases = process();
    await leases.hold("acme", 600_000_000);
    await leases.hold("acme", 1_300_000_000);
    expect(leased("acme")).toBe(2 * GB);
  });

  it("of a small limit are a hundredth of it", async () => {
    const { process, leased } = customers({ acme: GB });
    await process().hold("acme", 1_000_000);
    expect(leased("acme")).toBe(GB / 100);
  });

  it("refuse with what is left and what is leased and free", async () => {
    const leases = customers({ acme: GB }).process();
    await leases.hold("acme", 705_000_000);
    await expect(leases.hold("acme", 400_000_000)).rejects.toMatchObject({ headers: { ratelimit: '"bytes";r=295000000;t=60' } });
    await leases.hold("acme", 295_000_000);
  });

  it("refuse with what is left, until the UTC day ends", async () => {
    const { process, goTo } = customers({ acme: GB });
    const leases = process();
    await leases.hold("acme", 700_000_000);
    const refusal = leases.hold("acme", 400_000_000);
    await expect(refusal).rejects.toMatchObject({
      code: "resource_exhausted",
      message: expect.stringContaining("0.3 GB are left of the 1 GB"),
    });
    await expect(refusal).rejects.toMatchObject({ headers: { "retry-after": "60", ratelimit: '"bytes";r=300000000;t=60' } });
    goTo(NEXT_DAY);
    await leases.hold("acme", 400_000_000);
  });

  it("are given back after a burst, but for one, and all of them when the process ends", async () => {
    const { process, leased } = customers({ acme: 200 * GB });
    const leases = process();
    const burst = await Promise.all(Array.from({ length: 20 }, () => leases.hold("acme", GB)));
    expect(leased("acme")).toBe(20 * GB);
    for (const [place, hold] of burst.entries()) {
      // Not one write for each query.
      expect([place, leased("acme")]).toEqual([place, 20 * GB]);
      await hold.settle(10_000_000);
    }
    expect(leased("acme")).toBe(2 * GB);
    const last: Hold = await leases.hold("acme", 50_000_000);
    await leases.giveBack();
    await last.settle(30_000_000);
    expect(leased("acme")).toBe(230_000_000);
  });

  it("that nothing holds are all given back when the process ends, but for what was billed", async () => {
    const { process, leased } = customers({ acme: 200 * GB, globex: 200 * GB });
    const leases = process();
    await (await leases.hold("acme", 50_000_000)).settle(30_000_000);
    await leases.prepare("globex");
    await leases.giveBack();
    expect([leased("acme"), leased("globex")]).toEqual([30_000_000, 0]);
  });

  it("that cannot be given back stay leased, and the log says so", async () => {
    const said: unknown[] = [];
    const leasedBytes = {
      on: async () => 0,
      add: async (_uid: string, _at: Date, bytes: number) => {
        if (bytes < 0) throw new Error("no route");
      },
    };
    const budgetOf = async () => ({ limits: { bytesPerDay: 200 * GB } });
    const leases = createLeases({
      leasedBytes,
      budgetOf,
      now: () => EVENING,
      log: (severity, _message, fields) => said.push([severity, fields]),
    });
    await leases.prepare("acme");
    await leases.giveBack();
    expect(said).toEqual([["WARNING", expect.objectContaining({ uid: "acme" })]]);
  });

  it("do not outlive their day: what a query of yesterday gives back is not today's", async () => {
    const { process, leased, goTo } = customers({ acme: 200 * GB });
    const leases = process();
    const hold = await leases.hold("acme", 5 * GB);
    goTo(NEXT_DAY);
    await hold.settle(0);
    await leases.giveBack();
    expect([leased("acme", EVENING), leased("acme", NEXT_DAY)]).toEqual([5 * GB, 0]);
  });
});
