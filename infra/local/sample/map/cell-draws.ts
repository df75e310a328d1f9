/**
 * Returns a pseudo-random number in [0, 1) for two coordinates, a key and a seed. The same arguments give the same number.
 * Source of the mixing: MurmurHash3's finalizer.
 */
export function draw(seed: number, a: number, b: number, key: number): number {
  let bits = Math.imul(a ^ Math.imul(key + 1, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(seed + 0x27d4eb2f, 0x165667b1);
  bits = Math.imul(bits ^ (bits >>> 15) ^ b, 0xc2b2ae35);
  bits = Math.imul(bits ^ (bits >>> 13), 0x27d4eb2f);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}
