import { randomBytes } from "node:crypto";
import { StorageFault } from "./storage-fault.ts";
import type { UploadSession } from "./upload-session.ts";

/** Google keeps a session for a week. */
const LIFETIME_MS = 7 * 24 * 3600 * 1000;

/** The running resumable uploads. Anyone with a session's id may continue it, as with Google's session URIs. */
export class UploadSessions {
  readonly #sessions = new Map<string, UploadSession>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Stores a session and returns its unguessable id. */
  async add(session: UploadSession): Promise<string> {
    for (const [id, { startedAt }] of this.#sessions) if (this.#isOver(startedAt)) await this.#end(id);
    const id = randomBytes(24).toString("base64url");
    this.#sessions.set(id, session);
    return id;
  }

  /** Returns a session. Throws a 404 if it does not exist or has expired. */
  get(id: string): UploadSession {
    const session = this.#sessions.get(id);
    if (!session || this.#isOver(session.startedAt)) throw new StorageFault("pathNotFound", "Not Found");
    return session;
  }

  /** Ends a session. Received bytes are discarded unless they became an object. */
  async remove(id: string): Promise<void> {
    this.get(id);
    await this.#end(id);
  }

  async removeAll(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((id) => this.#end(id)));
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.abort();
  }

  #isOver(startedAt: number): boolean {
    return this.#now() - startedAt > LIFETIME_MS;
  }
}
