import { createConnection, type Socket } from "node:net";
import * as v from "valibot";
import type { Command } from "./webdriver.ts";

/** `[1, id, error, value]`: https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html */
const Answer = v.tuple([v.literal(1), v.number(), v.nullable(v.looseObject({ error: v.string(), message: v.string() })), v.unknown()]);
const ValueOfAnswer = v.object({ value: v.unknown() });

/** Commands of WebDriver over Marionette, the protocol that Firefox itself speaks; geckodriver translates HTTP to it. */
export interface Marionette {
  send(command: Command, parameters: Readonly<Record<string, unknown>>): Promise<unknown>;
  end(): void;
}

/** Connects to a Firefox that listens at a port of this machine. */
export async function connectMarionette(port: number): Promise<Marionette> {
  const socket = createConnection({ port, host: "127.0.0.1" });
  const messages = messagesOf(socket);
  const next = async (): Promise<unknown> => {
    const { value, done } = await messages.next();
    if (done) throw new Error("Firefox has closed the connection");
    return value;
  };
  await next();
  let last = 0;
  return {
    send: async (command, parameters) => {
      last += 1;
      const message = JSON.stringify([0, last, `WebDriver:${command}`, parameters]);
      socket.write(`${Buffer.byteLength(message)}:${message}`);
      const [, , error, value] = v.parse(Answer, await next());
      if (error) throw new Error(`${command}: ${error.error}: ${error.message}`);
      return v.is(ValueOfAnswer, value) ? value.value : value;
    },
    end: () => socket.destroy(),
  };
}

/** Each message is its length in bytes, a colon and JSON. */
async function* messagesOf(socket: Socket): AsyncGenerator<unknown, void> {
  let received = Buffer.alloc(0);
  for await (const chunk of socket) {
    received = Buffer.concat([received, Buffer.from(chunk)]);
    for (let colon = received.indexOf(":"); colon >= 0; colon = received.indexOf(":")) {
      const end = colon + 1 + Number(received.subarray(0, colon).toString());
      if (received.length < end) break;
      yield JSON.parse(received.subarray(colon + 1, end).toString("utf8"));
      received = received.subarray(end);
    }
  }
}
