import { afterEach, describe, expect, it } from "vitest";
import { type Clock, systemClock } from "./clock.ts";

let clock: Clock | undefined;

afterEach(() => clock?.stop());

describe("the system's clock", () => {
  it("runs due timers in a later turn, in order, and none before its time", async () => {
    const running = systemClock();
    clock = running;
    const ran: string[] = [];
    const start = running.now();
    running.at(start - 1000, () => ran.push("past"));
    const last = new Promise<void>((resolve) => running.at(start + 20, () => resolve()));
    running.at(start + 5, () => ran.push("soon"));
    expect(ran).toEqual([]);
    await last;
    expect(running.now()).toBeGreaterThanOrEqual(start + 20);
    expect(ran).toEqual(["past", "soon"]);
  });

  it("follows the injected time, not the machine's: a timer that fires early waits again", async () => {
    let time = 0;
    const stepping = systemClock(() => time++);
    clock = stepping;
    const firedAt = await new Promise<number>((resolve) => stepping.at(10, () => resolve(time)));
    expect(firedAt).toBeGreaterThanOrEqual(10);
  });

  it("handles times beyond Node's timer limit, and drops cancelled and stopped timers", async () => {
    const running = systemClock();
    clock = running;
    const ran: string[] = [];
    running.at(running.now() + 2 ** 31 + 5000, () => ran.push("far"));
    running.at(running.now(), () => ran.push("cancelled"))();
    await new Promise<void>((resolve) => running.at(running.now() + 5, resolve));
    running.at(running.now(), () => ran.push("stopped"));
    running.stop();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(ran).toEqual([]);
  });
});
