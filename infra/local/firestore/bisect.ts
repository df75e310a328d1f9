/** Returns the first position below `length` where `isThere` holds, else `length`. Once it holds it holds for all later positions. */
export function firstWhere(length: number, isThere: (position: number) => boolean): number {
  let low = 0;
  for (let high = length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (isThere(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
