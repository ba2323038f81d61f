/** Titles that are spelled like a question without answers, among those that the user can see. */
import type { Actor } from "#core/permissions/actor.ts";
import { fold } from "#core/text/fold.ts";
import type { Services } from "../http/services.ts";
import { listedRows } from "../sops/list/list.ts";
import { shownOf } from "../sops/list/sorted.ts";

const atMost = 3;
/** The least likeness (of at most 1) of a title that counts as near. */
const nearEnough = 0.3;

export interface NearTitle {
  id: string;
  title: string;
}

export async function nearestTitles(
  { db, clock }: Pick<Services, "db" | "clock">,
  actor: Actor,
  words: string,
): Promise<NearTitle[]> {
  const rows = await listedRows(db, clock, actor, { limit: 1 }, { title: 1, "published.title": 1 });
  const asked = lettersOf(words);
  return rows
    .map((row) => ({ id: row.sop._id, title: shownOf(row).title }))
    .map((near) => ({ near, score: likeness(asked, lettersOf(near.title)) }))
    .filter(({ score }) => score >= nearEnough)
    .toSorted((one, other) => other.score - one.score || (one.near.id < other.near.id ? -1 : 1))
    .slice(0, atMost)
    .map(({ near }) => near);
}

/** Groups of three letters, with the beginnings and ends of words. */
function lettersOf(text: string): ReadonlySet<string> {
  const words = fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  const padded = words.map((word) => ` ${word} `);
  return new Set(padded.flatMap((word) => Array.from({ length: word.length - 2 }, (_, at) => word.slice(at, at + 3))));
}

/** The share of the question's letters that the title has. A title is usually longer than a question. */
function likeness(asked: ReadonlySet<string>, title: ReadonlySet<string>): number {
  if (asked.size === 0) return 0;
  return [...asked].filter((letters) => title.has(letters)).length / asked.size;
}
