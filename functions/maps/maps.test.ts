import { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { call, keyOf, newCustomer, ready } from "../../infra/testing/service.ts";

const customer = await newCustomer();
const other = await newCustomer();
const key = keyOf(customer);
const SQUARE = "POLYGON((24.70 59.40, 24.80 59.40, 24.80 59.45, 24.70 59.45, 24.70 59.40))";
const polygon = { name: "Old town", type: "custom_polygon", geometry: SQUARE };
/** The error of a text whose second character is this one. */
const invisible = (code: string) => `must hold no control, text-direction or invisible characters; character 2 is ${code}`;
const Saved = v.object({ id: v.string() });

function create(body: unknown, as = key) {
  return call("users", "POST", "/admin/maps", { key: as, body });
}

async function created(body: unknown = polygon, as = key): Promise<string> {
  const answer = await create(body, as);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
  return v.parse(Saved, answer.body).id;
}

function update(id: string, body: unknown, headers: Record<string, string> = {}) {
  return call("users", "PUT", `/admin/maps/${id}`, { key, body, headers });
}

describe("a polygon", () => {
  it("is saved as sent, and belongs to its creator", async () => {
    const { status, body, headers } = await create({ ...polygon, description: "within the walls" });
    const { id } = v.parse(Saved, body);
    expect(id).toMatch(/^[A-Za-z0-9]{20}$/);
    expect({ status, body }).toEqual({
      status: 201,
      body: { msg: "Map saved", id, ...polygon, description: "within the walls", owner: `storage@${customer.uid}`, is_monitored: false },
    });
    expect(headers.get("etag")).toBe('"1"');
  });

  it("may have a name of 200 characters, of whichever script", async () => {
    const name = "𠮷".repeat(200);
    expect(await create({ ...polygon, name })).toMatchObject({ status: 201, body: { name } });
    expect(await create({ ...polygon, name: `${name}𠮷` })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/name", detail: "must be at most 200 characters" }] },
    });
  });

  it.each([
    ["no name", { ...polygon, name: undefined }, [{ pointer: "/name", detail: "is required" }]],
    ["an empty name", { ...polygon, name: "" }, [{ pointer: "/name", detail: "must not be empty" }]],
    ["a name with a control character", { ...polygon, name: "a\u0007" }, [{ pointer: "/name", detail: invisible("U+0007") }]],
    ["a name with a right-to-left override", { ...polygon, name: "a\u202e" }, [{ pointer: "/name", detail: invisible("U+202E") }]],
    [
      "a zero-width space in its description",
      { ...polygon, description: "\n\u200b" },
      [{ pointer: "/description", detail: invisible("U+200B") }],
    ],
    ["no geometry", { ...polygon, geometry: undefined }, [{ pointer: "/geometry", detail: "is required" }]],
    [
      "nothing",
      {},
      [
        { pointer: "/type", allowed: expect.any(Array) },
        { pointer: "/name", detail: "is required" },
      ],
    ],
    ["ids", { ...polygon, ids: [1] }, [{ pointer: "/ids", detail: "is allowed only with the standard types" }]],
    [
      "an unknown type",
      { ...polygon, type: "circle" },
      [{ pointer: "/type", allowed: expect.arrayContaining(["custom_polygon", "grid_250m"]) }],
    ],
    [
      "a bow tie",
      { ...polygon, geometry: "POLYGON((0 0, 1 1, 1 0, 0 1, 0 0))" },
      [{ pointer: "/geometry", detail: expect.stringContaining("ring 1") }],
    ],
    ["trailing text", { ...polygon, geometry: `${SQUARE};` }, [{ pointer: "/geometry" }]],
  ])("with %s is rejected with the reasons", async (_what, body, errors) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { code: "invalid_argument", errors } });
  });
});

describe("a customer's maps", () => {
  it("are listed oldest first, also in pages, which omit none", async () => {
    const own = await newCustomer();
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) ids.push(await created({ ...polygon, name }, keyOf(own)));
    const List = v.object({ maps: v.array(Saved), next_cursor: v.optional(v.nullable(v.string())) });
    const list = async (query: string) => v.parse(List, (await call("users", "GET", `/admin/maps${query}`, { key: keyOf(own) })).body);
    expect((await list("")).maps.map(({ id }) => id)).toEqual(ids);
    const first = await list("?limit=2");
    const second = await list(`?limit=2&cursor=${first.next_cursor}`);
    expect([...first.maps, ...second.maps].map(({ id }) => id)).toEqual(ids);
    expect(second.next_cursor).toBeNull();
    expect(await call("users", "GET", "/admin/maps?cursor=x", { key })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/cursor" }] },
    });
    expect(await call("users", "GET", "/admin/maps?limit=0", { key })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/limit" }] },
    });
  });

  it("cannot be seen, changed or deleted by other customers", async () => {
    const id = await created();
    const theirs = { key: keyOf(other) };
    expect(JSON.stringify((await call("users", "GET", "/admin/maps", theirs)).body)).not.toContain(id);
    for (const [method, body] of [
      ["PUT", { name: "mine now" }],
      ["DELETE", undefined],
    ] as const)
      expect(await call("users", method, `/admin/maps/${id}`, { ...theirs, body })).toMatchObject({
        status: 404,
        body: { code: "not_found" },
      });
    expect(await update(id, { name: "still here" })).toMatchObject({ status: 200 });
  });

  it("are gone at once when deleted", async () => {
    const id = await created();
    expect(await call("users", "DELETE", `/admin/maps/${id}`, { key })).toMatchObject({ status: 200, body: { msg: "Map deleted", id } });
    expect(await call("users", "DELETE", `/admin/maps/${id}`, { key })).toMatchObject({ status: 404 });
    expect(JSON.stringify((await call("users", "GET", "/admin/maps", { key })).body)).not.toContain(id);
  });

  it("are listed up to 8 MiB at a time, also without a limit", async () => {
    const own = await newCustomer();
    // The geometry of a stored map is at most 256 KiB, so that 33 of them are beyond 8 MiB.
    const db = new Firestore({ projectId: ready.project });
    const stored = {
      uid: own.uid,
      owner: "x",
      description: "",
      type: "custom_polygon",
      ids: null,
      countryCode: null,
      isMonitored: false,
      version: 1,
    };
    const padded = `${SQUARE}${" ".repeat(256 * 1024 - SQUARE.length)}`;
    for (let made = 0; made < 33; made++)
      await db.collection("maps").add({ ...stored, name: `map ${made}`, geometry: padded, createdAt: new Date(2026, 0, 1, 0, made) });
    await db.terminate();
    const list = async (query: string) => {
      const List = v.object({ maps: v.array(v.object({ name: v.string() })), next_cursor: v.optional(v.nullable(v.string())) });
      return v.parse(List, (await call("users", "GET", `/admin/maps${query}`, { key: keyOf(own) })).body);
    };
    const first = await list("");
    expect([first.maps.length, first.maps.at(-1)?.name]).toEqual([31, "map 30"]);
    expect(await list(`?cursor=${first.next_cursor}`)).toEqual({ maps: [{ name: "map 31" }, { name: "map 32" }], next_cursor: null });
    expect((await list("?fields=name")).maps).toHaveLength(33);
  });

  it("that are not monitored are not in the monitored list", async () => {
    expect((await call("users", "GET", "/admin/maps/monitored", { key })).body).toEqual({ count: 0, monitored_map_ids: [] });
  });
});

describe("an update", () => {
  it("changes only the fields that were sent, and returns the whole map", async () => {
    const id = await created();
    expect((await update(id, { description: "new" })).body).toEqual({
      msg: "Map updated",
      id,
      ...polygon,
      description: "new",
      owner: `storage@${customer.uid}`,
      is_monitored: false,
    });
  });

  it("accepts the id and the owner only if unchanged", async () => {
    const id = await created();
    expect(await update(id, { id, owner: `storage@${customer.uid}`, name: "x" })).toMatchObject({ status: 200 });
    expect(await update(id, { id: "other", owner: "me", name: "x" })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/id" }, { pointer: "/owner" }] },
    });
  });

  it.each([
    ["nothing", {}, ""],
    ["ids for a polygon", { ids: [1] }, "/ids"],
    ["a standard type without ids", { type: "grid_250m" }, "/ids"],
  ])("of %s is rejected", async (_what, body, pointer) => {
    expect(await update(await created(), body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  it("with If-Match does not overwrite a version that it has not seen", async () => {
    const id = await created();
    const first = await update(id, { name: "first" }, { "if-match": '"1"' });
    expect(first.headers.get("etag")).toBe('"2"');
    expect(await update(id, { name: "second" }, { "if-match": '"1"' })).toMatchObject({
      status: 412,
      body: { code: "precondition_failed" },
    });
  });

  it.each([
    ["If-Match of another version", { "if-match": '"7"' }],
    ["If-Match without quotes", { "if-match": "1" }],
    ["If-None-Match of this version", { "if-none-match": '"1"' }],
    ["If-None-Match of any version", { "if-none-match": "*" }],
  ])("or a deletion with %s changes nothing", async (_what, headers) => {
    const id = await created();
    expect(await update(id, { name: "renamed" }, headers)).toMatchObject({ status: 412, body: { code: "precondition_failed" } });
    expect(await call("users", "DELETE", `/admin/maps/${id}`, { key, headers })).toMatchObject({ status: 412 });
    expect(await call("users", "GET", `/admin/maps/${id}`, { key })).toMatchObject({ status: 200, body: { name: polygon.name } });
    expect(await call("users", "DELETE", `/admin/maps/${id}`, { key, headers: { "if-match": '"1"' } })).toMatchObject({ status: 200 });
  });

  it("loses no concurrent update", async () => {
    const id = await created();
    await Promise.all([update(id, { name: "renamed" }), update(id, { description: "described" })]);
    expect((await update(id, { type: "custom_polygon" })).body).toMatchObject({ name: "renamed", description: "described" });
  });
});
