import { apiRequest, hasStatus, likeUnknown, type Move, membersOf, pickFrom, type Turn } from "./move.ts";

/** Matches no customer: uids are longer. */
export const NO_CUSTOMER = "nobody1234";
const HOSTILE_LABELS = ['a"b', "a/b", "..", "a%2fb", "õ", "", "A", "a b", "a\u0000", "__proto__"];

/** Returns a request of each operation that takes a uid, with the uid as it is written in the path. */
export function accountCalls(turn: Pick<Turn, "target" | "me">, uid: string, label: string) {
  const [accounts, dataset] = [`/users/${uid}/machine-accounts`, `/users/${uid}/personal-dataset`];
  return [
    ["machine-accounts-list", apiRequest(turn, "users", { method: "GET", path: `${accounts}/list` })],
    ["machine-accounts-create", apiRequest(turn, "users", { method: "POST", path: accounts, body: { keyLabel: label } })],
    ["machine-accounts-change", apiRequest(turn, "users", { method: "PATCH", path: `${accounts}/${label}`, body: { scopes: [] } })],
    ["machine-accounts-remove", apiRequest(turn, "users", { method: "DELETE", path: `${accounts}/${label}` })],
    ["customers-show-dataset", apiRequest(turn, "users", { method: "GET", path: dataset })],
    ["customers-request-dataset", apiRequest(turn, "users", { method: "POST", path: dataset })],
  ] as const;
}

/** A party creates, rotates, changes or removes a machine account, lists its accounts, or asks about itself. */
export function useAccounts(turn: Turn): Move {
  const { chance, me } = turn;
  const label = `${me.marker}-${chance.whole(1, 6)}`;
  const [list, create, change, remove, dataset] = accountCalls(turn, me.customer.uid, label);
  const self = ["customers-me", apiRequest(turn, "users", { method: "GET", path: "/users/me" })] as const;
  const [operation, request] = chance.pick([list, create, create, change, remove, dataset, self]);
  return {
    what: operation,
    request,
    changes: [create[0], change[0], remove[0]].some((one) => one === operation) ? label : undefined,
    judge: (answer) => {
      const { apiKey } = membersOf(answer);
      if (typeof apiKey === "string") {
        me.secrets.add(apiKey);
        me.labels.add(label);
      }
      if (operation === remove[0] && answer.status === 200) me.labels.delete(label);
      // A label that was never created, or was removed.
      const isOfLabel = operation === change[0] || operation === remove[0];
      // Only so many new accounts are allowed in an hour.
      return hasStatus(answer, 200, 201, ...(isOfLabel ? [404] : operation === create[0] ? [429] : []));
    },
  };
}

/** A party requests an invalid label. */
export function hostileLabel(turn: Turn): Move {
  const [, [, request]] = accountCalls(turn, turn.me.customer.uid, turn.chance.pick(HOSTILE_LABELS));
  return { what: "a hostile label", request, judge: (answer) => hasStatus(answer, 400) };
}

/** A party lists or creates machine accounts of the other party, by its uid and by paths that could be mistaken for it. */
export function touchForeignAccounts(turn: Turn): Move {
  const { chance, me, other } = turn;
  const [own, foreign] = [me.customer.uid, other.customer.uid];
  const uids = [
    foreign,
    foreign,
    `${own}%2F..%2F${foreign}`,
    `${foreign}%20`,
    `%${foreign.charCodeAt(0).toString(16)}${foreign.slice(1)}`,
    `${foreign}%00`,
    foreign.toUpperCase(),
    `..%2F${foreign}`,
  ];
  // A client or a server might resolve these to the other party's path.
  const resolved = [`${own}/../${foreign}`, `${own}/%2e%2e/${foreign}`, `./${foreign}`];
  const uid = chance.pick([...uids, ...resolved]);
  const label = pickFrom(chance, other.labels) ?? "x";
  const [operation, request] = chance.pick(accountCalls(turn, uid, label));
  return { what: `${operation} of a foreign customer`, request, judge: (answer) => likeUnknown(turn, operation, answer) };
}

/** A party logs in. The new token becomes one of its secrets. */
export function logIn(turn: Turn): Move {
  const { chance, me } = turn;
  return {
    what: "log in",
    request: apiRequest(turn, "users", {
      method: "POST",
      path: "/login-with-apikey",
      body: { service: chance.pick(["storage", "warehouse"]) },
    }),
    judge: (answer) => {
      const { accessToken, userId } = membersOf(answer);
      if (typeof accessToken === "string") me.secrets.add(accessToken);
      return [...hasStatus(answer, 200), ...(userId === me.customer.uid ? [] : [`the user is ${String(userId)}`])];
    },
  };
}
