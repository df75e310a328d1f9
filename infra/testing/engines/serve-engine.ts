import { startFirestore } from "../../local/firestore/start.ts";
import { startPubSub } from "../../local/pubsub/server.ts";
import { startTasks } from "../../local/tasks/server.ts";

/** The process of one product on a data folder, for tests that kill it. Prints its address. */
const [product, dataDirectory = ""] = process.argv.slice(2);

async function start() {
  if (product === "firestore") return startFirestore({ project: "demo-local", dataDirectory });
  if (product === "pubsub") return startPubSub({ dataDirectory });
  return startTasks({ dataDirectory });
}

console.log((await start()).address);
