/** A finger that rests this long means what a right click does. iOS has no event for it. */
export const LONG_PRESS_MS = 500;
