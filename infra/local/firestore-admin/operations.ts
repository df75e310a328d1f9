import { randomUUID } from "node:crypto";
import { status } from "@grpc/grpc-js";
import { RpcError, toRpcError } from "../tasks/wire/rpc-error.ts";

/** A long-running operation in the form of google.longrunning.Operation. */
export interface Operation {
  readonly name: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly done: boolean;
  readonly response?: object;
  readonly error?: { readonly code: number; readonly message: string };
}

interface Start {
  /** The full name of the database that the operation makes or removes. */
  readonly database: string;
  /** The message of `metadata`, without its package, and its own fields. */
  readonly metadata: readonly [message: string, fields: object];
  readonly now: () => Date;
}

/** The operations of a server. They end with it, as those of Google's emulators do. */
export class Operations {
  readonly #operations = new Map<string, Operation>();
  readonly #running = new Set<Promise<void>>();

  /** Starts an operation. `run` gives its response. */
  start({ database, metadata: [message, fields], now }: Start, run: (name: string) => Promise<object>): Operation {
    const name = `${database}/operations/${randomUUID()}`;
    const begun = {
      "@type": `type.googleapis.com/google.firestore.admin.v1.${message}`,
      ...{ startTime: now().toISOString(), database, ...fields },
    };
    const started: Operation = { name, metadata: { ...begun, operationState: "PROCESSING" }, done: false };
    this.#operations.set(name, started);
    const end = (state: string, result: Pick<Operation, "response" | "error">): void => {
      const metadata = { ...begun, operationState: state, endTime: now().toISOString() };
      this.#operations.set(name, { name, metadata, done: true, ...result });
    };
    const running = run(name)
      .then(
        (response) => end("SUCCESSFUL", { response }),
        (error: unknown) => {
          const { code, message: text } = toRpcError(error);
          end("FAILED", { error: { code, message: text } });
        },
      )
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
    return started;
  }

  get(name: string): Operation {
    const operation = this.#operations.get(name);
    if (operation === undefined) throw new RpcError(status.NOT_FOUND, `Operation ${name} not found.`);
    return operation;
  }

  /** Waits for the operations that run. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }
}
