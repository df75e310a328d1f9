import { LONG_PRESS_MS } from "./long-press.ts";

/** A finger that goes further is not at rest, in pixels. */
const REST_PX = 8;

/** What the fingers on an element do. */
interface TouchListeners {
  /** A finger comes down, and no other is. */
  readonly onFirst: () => void;
  /** Another one joins it. */
  readonly onSecond: () => void;
  /** The only finger has rested, and is still down. */
  readonly onLongPress: () => void;
}

/**
 * Follows the fingers on an element. Those that come down together are for the element alone: what is inside does not see their pointers move and
 * leave. Returns what ends it.
 */
export function followTouches(element: HTMLElement, { onFirst, onSecond, onLongPress }: TouchListeners): () => void {
  const down = new Set<number>();
  let isTogether = false;
  let from = { x: 0, y: 0 };
  let resting: ReturnType<typeof setTimeout> | undefined;
  const begin = (event: PointerEvent): void => {
    if (event.pointerType !== "touch") return;
    down.add(event.pointerId);
    clearTimeout(resting);
    if (down.size === 1) {
      from = { x: event.clientX, y: event.clientY };
      resting = setTimeout(onLongPress, LONG_PRESS_MS);
      onFirst();
    } else if (!isTogether) {
      isTogether = true;
      onSecond();
    }
  };
  const move = (event: PointerEvent): void => {
    if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > REST_PX) clearTimeout(resting);
    if (isTogether) event.stopPropagation();
  };
  const end = (event: PointerEvent): void => {
    if (!down.delete(event.pointerId)) return;
    clearTimeout(resting);
    if (isTogether) event.stopPropagation();
    isTogether &&= down.size > 0;
  };
  const listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  element.addEventListener("pointerdown", begin, options);
  element.addEventListener("pointermove", move, options);
  element.addEventListener("pointerup", end, options);
  element.addEventListener("pointercancel", end, options);
  return () => {
    clearTimeout(resting);
    listening.abort();
  };
}
