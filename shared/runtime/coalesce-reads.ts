/** How long a read is waited for before others go without it: one whose answer got lost must not hold them up. */
const WAIT_MS_MAX = 1000;

interface Running<T> {
  readonly over: Promise<void>;
  next: Promise<T> | undefined;
}

/**
 * Reads of which many may be asked at once: those of one name that come while one is under way share the next one. So a thousand cost two, and
 * what each hears was read after it had asked: nothing is remembered.
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

/** Fulfilled when a promise is settled, either way, or patience is at its end. */
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
