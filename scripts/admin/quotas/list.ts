import { listCustomers } from "../../../shared/accounts/customers-admin.ts";
import { bytesOn } from "../../../shared/budgets/day-bytes.ts";
import { openLeasedBytes } from "../../../shared/budgets/leased-bytes.ts";
import { table } from "../print.ts";
import { defineVerb } from "../verb.ts";
import { promisedTo } from "./tick.ts";

const GB = 1e9;

export default defineVerb({
  words: "",
  options: {},
  run: async (_words, _values, session) => {
    const { db, config, now } = session;
    const at = now();
    const leases = openLeasedBytes(config);
    const all = await listCustomers(db);
    const customers = await Promise.all(
      all.map(async (customer) => {
        const { uid, name, limits, monitoredCells } = customer;
        const bytesToday = bytesOn(customer.bytesToday, at) + (await leases.on(uid, at));
        return { uid, name, bytesPerDay: limits.bytesPerDay, bytesToday, monitoredCells, monitoredCellsMax: limits.monitoredCells };
      }),
    );
    const tick = await promisedTo(all, session, at);
    if (tick.warning !== undefined) session.note(tick.warning);
    const rows = customers.map(({ uid, name, bytesPerDay, bytesToday, monitoredCells, monitoredCellsMax }) => ({
      uid,
      name,
      "cells monitored": monitoredCells,
      "at most": monitoredCellsMax,
      "GB a day": bytesPerDay / GB,
      "GB today": (bytesToday / GB).toFixed(1),
    }));
    const { bytes, bytesMax, share } = tick;
    const promised = `Of the ${gb(bytesMax)} GB that a tick may read, ${gb(bytes)} GB are promised (${(100 * share).toFixed(1)} %)`;
    return { json: { customers, tick }, lines: [...table(rows), promised] };
  },
});

function gb(bytes: number): string {
  return (bytes / GB).toLocaleString("en", { maximumFractionDigits: 2 });
}
