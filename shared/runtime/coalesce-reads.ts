/** How long to wait for a running read before starting the next one: a lost response must not block later reads. */
const WAIT_MS_MAX = 1000;

interface Running<T> {
  readonly over: Promise<void>;
  next: Promise<T> | undefined;
}

/**
 * Coalesces concurrent reads: requests for a name that arrive during a read share the next one. A thousand concurrent requests cost two
 * reads, and every result was read after its request. Nothing is cached.
 */
export function coalesceReads<T>(read: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const running = new Map<string, Running<T>>();
  const start = (name: string): Promise<T> => {
    const answer = read(name);
    const own: Running<T> = { over: over(answer), next: undefined };
    running.set(name, own);
    void own.over.then(() => {
      if (running.get(name) === own && !own.next) running.delete(name);
    });
    return answer;
  };
  return (name) => {
    const current = running.get(name);
    if (!current) return start(name);
    current.next ??= current.over.then(() => start(name));
    return current.next;
  };
}

/** Resolves when a promise settles, either way, or after `WAIT_MS_MAX`. */
function over(promise: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, WAIT_MS_MAX).unref();
    const settled = (): void => {
      clearTimeout(timer);
      resolve();
    };
    promise.then(settled, settled);
  });
}
