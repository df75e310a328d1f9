import type { Firestore } from "@google-cloud/firestore";
import { firestore } from "../../../shared/google/firestore.ts";
import type { Config } from "../../../shared/runtime/config.ts";

/** Opens another database of the project in place of the functions' main one, such as a restored copy of it. */
export function openDatabase(config: Config, id: string): Firestore {
  return firestore({ ...config, databases: { ...config.databases, main: id } });
}
