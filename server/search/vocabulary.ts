/** All words and stems of an index, for finding the one that somebody meant. */
import { setImmediate as breathe } from "node:timers/promises";
import { slipsAllowed, slipsBetween } from "#core/search/distance.ts";
import type { IndexFile } from "./index-file.ts";

export interface Vocabulary {
  /** Words near this one, nearest first; with `isBegun`, beginnings of words too. */
  near(typed: string, isBegun: boolean): string[];
}

const atOnce = 5_000;
const candidatesAtMost = 12;
/** Below this length a slip in the first letter makes another word. */
const anyFirstLetterFrom = 5;

export async function loadVocabulary(index: IndexFile): Promise<Vocabulary> {
  const words: string[] = [];
  const rows: number[] = [];
  for (let last = ""; ;) {
    const found = index.wordsFrom(last, atOnce);
    for (const one of found) {
      words.push(one.word);
      rows.push(one.rows);
    }
    if (found.length < atOnce) break;
    last = words.at(-1) ?? "";
    await breathe();
  }
  const letters = Uint32Array.from(words, lettersOf);
  return { near: (typed, isBegun) => near({ words, letters, rows }, typed, isBegun) };
}

/** Which letters a word has, one bit each: two words with many different ones can't be near. */
function lettersOf(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31);
  return bits;
}

function bitsIn(bits: number): number {
  let rest = bits;
  let count = 0;
  for (; rest !== 0; count++) rest &= rest - 1;
  return count;
}

interface Counted {
  words: readonly string[];
  letters: Uint32Array;
  rows: readonly number[];
}

function near({ words, letters, rows }: Counted, typed: string, isBegun: boolean): string[] {
  const allowed = slipsAllowed(typed.length);
  if (allowed === 0) return [];
  const found: { word: string; slips: number; begun: number; rows: number }[] = [];
  const own = lettersOf(typed);
  for (const [at, word] of words.entries()) {
    const longer = word.length - typed.length;
    const canBegin = isBegun && longer > 0 && typed.length >= anyFirstLetterFrom;
    if (longer < -allowed || (longer > allowed && !canBegin)) continue;
    // each slip adds or takes at most one letter
    if (bitsIn(own & ~(letters[at] ?? 0)) > allowed) continue;
    if (typed.length < anyFirstLetterFrom && word[0] !== typed[0]) continue;
    if (/^\d+$/.test(word)) continue;
    const { whole, prefix } = slipsBetween(typed, word, allowed);
    const slips = Math.min(whole, canBegin ? prefix : whole);
    if (slips > 0 && slips <= allowed) found.push({ word, slips, begun: whole === slips ? 0 : 1, rows: rows[at] ?? 0 });
  }
  return found
    .sort((one, other) => one.slips - other.slips || one.begun - other.begun || other.rows - one.rows)
    .slice(0, candidatesAtMost)
    .map(({ word }) => word);
}
