import type { Turn } from "./move.ts";

const HOSTILE = [
  (word: string) => `"${word}" OR "1"="1`,
  (word: string) => `${word}'; DELETE FROM maps; --`,
  (word: string) => `../isolation/${word}`,
  (word: string) => `${word}/../../x`,
  (word: string) => `%2e%2e%2f${word}%00%25`,
  (word: string) => `ÕÄÖÜ ${word} 漢字 👩👧`,
  (word: string) => `\\${word}\\"\`@uid\``,
  (word: string) => `<b>${word}</b>{{uid}}`,
  (word: string) => ` ${word} `,
  (word: string) => `results/${word}/`,
];

/** Returns a valid map name that code might misinterpret, with the party's marker and a unique number. */
export function hostileName({ chance, me, serial }: Turn): string {
  return chance.pick(HOSTILE)(`${me.marker}${serial()}`);
}
