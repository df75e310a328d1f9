import { apiRequest, hasStatus, likeUnknown, type Move, membersOf, pickFrom, type Turn } from "./move.ts";
import { hostileName } from "./names.ts";

const MAPS_KEPT = 8;
const POLYGON = "POLYGON((24.73 59.43, 24.76 59.43, 24.76 59.445, 24.73 59.445, 24.73 59.43))";
const HISTORY = "start_time=2026-01-01&end_time=2027-01-01&limit=3";
/** A well-formed id that belongs to nobody. */
export const NO_MAP = "A".repeat(20);

/** A party creates a map: a polygon, or some of the geographies that only this party uses. */
export function createMap(turn: Turn): Move {
  const { chance, me } = turn;
  const [name, description] = [hostileName(turn), hostileName(turn)];
  const shape = chance.oneIn(2)
    ? { type: "custom_polygon", geometry: POLYGON }
    : { type: "admin_level_2", ids: me.geoIds.admin_level_2?.slice(0, chance.whole(1, 3)) };
  return {
    what: "create a map",
    request: apiRequest(turn, "users", { method: "POST", path: "/admin/maps", body: { name, description, ...shape } }),
    judge: (answer) => {
      const { id, owner } = membersOf(answer);
      if (typeof id === "string") me.maps.set(id, { name, isMonitored: false });
      return [
        ...hasStatus(answer, 201),
        ...(owner === `${me.customer.keyLabel}@${me.customer.uid}` ? [] : [`the owner is ${String(owner)}`]),
      ];
    },
  };
}

/** A party renames its own map, with an ETag that may be another map's. */
export function renameMap(turn: Turn): Move {
  const { chance, me } = turn;
  const id = pickFrom(chance, me.maps.keys());
  if (id === undefined) return createMap(turn);
  const name = hostileName(turn);
  const headers = chance.oneIn(3) ? [["if-match", `"${chance.whole(1, 4)}"`] as const] : [];
  return {
    what: "rename a map",
    changes: id,
    request: apiRequest(turn, "users", { method: "PUT", path: `/admin/maps/${id}`, body: { name }, headers }),
    judge: (answer) => {
      const known = me.maps.get(id);
      if (answer.status === 200 && known) me.maps.set(id, { ...known, name });
      return hasStatus(answer, 200, ...(headers.length > 0 ? [412] : []));
    },
  };
}

/** A party tries to give its own map the other party's id or owner. */
export function disguiseMap(turn: Turn): Move {
  const { chance, me, other } = turn;
  const [own, foreign] = [pickFrom(chance, me.maps.keys()), pickFrom(chance, other.maps.keys())];
  if (own === undefined || foreign === undefined) return createMap(turn);
  const body = chance.oneIn(2)
    ? { id: foreign, description: me.marker }
    : { owner: `${other.customer.keyLabel}@${other.customer.uid}`, description: me.marker };
  return {
    what: "give a map the other party's id or owner",
    changes: own,
    request: apiRequest(turn, "users", { method: "PUT", path: `/admin/maps/${own}`, body }),
    judge: (answer) => hasStatus(answer, 400),
  };
}

/** A party deletes one of its maps, once it has a few. */
export function deleteMap(turn: Turn): Move {
  const { chance, me } = turn;
  const id = pickFrom(chance, me.maps.keys());
  if (id === undefined || me.maps.size < MAPS_KEPT) return createMap(turn);
  return {
    what: "delete a map",
    changes: id,
    request: apiRequest(turn, "users", { method: "DELETE", path: `/admin/maps/${id}` }),
    judge: (answer) => {
      me.maps.delete(id);
      me.goneMaps.add(id);
      return hasStatus(answer, 200);
    },
  };
}

/** A party enables or disables the monitoring of its own map. */
export function toggleMap(turn: Turn): Move {
  const { chance, me } = turn;
  const id = pickFrom(chance, me.maps.keys());
  if (id === undefined) return createMap(turn);
  const enable = !chance.oneIn(3);
  return {
    what: "switch the monitoring of a map",
    changes: id,
    request: apiRequest(turn, "data", { method: "POST", path: "/admin/realtime", body: { map_id: id, enable } }),
    judge: (answer) => {
      const known = me.maps.get(id);
      if (answer.status === 200 && known) me.maps.set(id, { ...known, isMonitored: enable });
      return hasStatus(answer, 200);
    },
  };
}

/** A party reads, changes, deletes or monitors the other party's map. */
export function touchForeignMap(turn: Turn): Move {
  const { chance, other } = turn;
  const id = pickFrom(chance, [...other.maps.keys(), ...other.goneMaps]) ?? NO_MAP;
  const [operation, request] = chance.pick(foreignMapCalls(turn, id));
  return { what: `${operation} of a foreign map`, request, judge: (answer) => likeUnknown(turn, operation, answer) };
}

/** Returns a request of each operation that takes a map's id. */
export function foreignMapCalls(turn: Pick<Turn, "target" | "me">, id: string) {
  const body = { description: turn.me.marker };
  return [
    ["maps-show", apiRequest(turn, "users", { method: "GET", path: `/admin/maps/${id}` })],
    ["maps-update", apiRequest(turn, "users", { method: "PUT", path: `/admin/maps/${id}`, body, headers: [["if-match", '"1"']] })],
    ["maps-delete", apiRequest(turn, "users", { method: "DELETE", path: `/admin/maps/${id}` })],
    ["realtime-history", apiRequest(turn, "data", { method: "GET", path: `/admin/realtime/history?map_id=${id}&${HISTORY}` })],
    ["realtime-toggle", apiRequest(turn, "data", { method: "POST", path: "/admin/realtime", body: { map_id: id, enable: true } })],
  ] as const;
}

/** A party lists its maps, its monitored maps, or the headcounts, from the beginning or from its own or the other party's cursor. */
export function listMaps(turn: Turn): Move {
  const { chance, me, other } = turn;
  const cursor = pickFrom(chance, chance.oneIn(2) ? other.cursors.maps : me.cursors.maps);
  const page = cursor === undefined ? "limit=2" : `limit=3&cursor=${cursor}`;
  const request = chance.pick([
    apiRequest(turn, "users", { method: "GET", path: `/admin/maps?${page}` }),
    apiRequest(turn, "users", { method: "GET", path: "/admin/maps" }),
    apiRequest(turn, "users", { method: "GET", path: "/admin/maps/monitored" }),
    apiRequest(turn, "data", { method: "GET", path: "/admin/realtime/data" }),
  ]);
  return {
    what: "list maps and headcounts",
    request,
    judge: (answer) => {
      const { next_cursor } = membersOf(answer);
      if (typeof next_cursor === "string" && !other.cursors.maps.includes(next_cursor)) keepNewest(me.cursors.maps, next_cursor);
      return hasStatus(answer, 200);
    },
  };
}

const CURSORS_KEPT = 10;

/** Keeps a cursor, and only the newest few. */
export function keepNewest(cursors: string[], cursor: string): void {
  if (!cursors.includes(cursor)) cursors.push(cursor);
  if (cursors.length > CURSORS_KEPT) cursors.shift();
}
