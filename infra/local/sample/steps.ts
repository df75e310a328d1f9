import type { SampleProgress } from "../messages.ts";

interface Following {
  /** Called when a step begins. */
  readonly onProgress?: (progress: SampleProgress) => void;
  /** Ends the sample before its next step. */
  readonly signal?: AbortSignal;
}

/** The steps of making a sample, one after another. */
export class SampleSteps {
  readonly #following: Following;
  #done = 0;
  #of: number | undefined;

  constructor(following: Following) {
    this.#following = following;
  }

  /** Says how many steps there are from now on. */
  expect(count: number): void {
    this.#done = 0;
    this.#of = count;
  }

  /** Runs a step. Throws what the signal was aborted with, if it was. */
  async run(step: string, work: () => Promise<void>): Promise<void> {
    const { onProgress, signal } = this.#following;
    signal?.throwIfAborted();
    onProgress?.({ step, ...(this.#of === undefined ? {} : { done: this.#done, of: this.#of }) });
    await work();
    this.#done++;
  }
}
