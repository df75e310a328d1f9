import type { Chance } from "../reference/chance.ts";
import { hostileLabel, logIn, touchForeignAccounts, useAccounts } from "./account-moves.ts";
import { askAtOnce, listJobs, lookAtJob, submitJob, touchForeignJob } from "./job-moves.ts";
import { createMap, deleteMap, disguiseMap, listMaps, renameMap, toggleMap, touchForeignMap } from "./map-moves.ts";
import type { Move, Turn } from "./move.ts";
import {
  listAcross,
  queryForeignDataset,
  queryOwnDataset,
  readForeignFolder,
  readOwnFolder,
  useSignedUrl,
  writeWithToken,
} from "./token-moves.ts";

/** All moves, with their weights. */
const MOVES: readonly (readonly [number, (turn: Turn) => Move])[] = [
  ...([
    [4, createMap],
    [5, renameMap],
    [2, disguiseMap],
    [2, deleteMap],
    [5, toggleMap],
    [10, touchForeignMap],
    [8, listMaps],
  ] as const),
  ...([
    [4, submitJob],
    [8, lookAtJob],
    [10, touchForeignJob],
    [6, listJobs],
    [3, askAtOnce],
  ] as const),
  ...([
    [3, useAccounts],
    [1, hostileLabel],
    [6, touchForeignAccounts],
    [2, logIn],
  ] as const),
  ...([
    [3, readOwnFolder],
    [8, readForeignFolder],
    [4, useSignedUrl],
    [2, listAcross],
    [2, writeWithToken],
    [2, queryOwnDataset],
    [6, queryForeignDataset],
  ] as const),
];

/** Draws a move by weight. */
export function drawMove(turn: Turn, chance: Chance): Move {
  let left = chance.whole(
    1,
    MOVES.reduce((sum, [weight]) => sum + weight, 0),
  );
  for (const [weight, move] of MOVES) {
    left -= weight;
    if (left <= 0) return move(turn);
  }
  return createMap(turn);
}
