/** Finds the category of a draft without a model: by words of the category's name, then by similar SOPs. */
import { createLikenessRanking, meaningfulStemsIn, type SopSubject } from "./similar.ts";

interface NamedCategory {
  id: string;
  name: string;
}

interface FiledSop extends SopSubject {
  categoryId: string | null;
}

/** Words in names of categories that say nothing about a subject. */
const generalWords = "procedures protocols processes operations instructions documents sops general other";
const general = new Set(meaningfulStemsIn(generalWords));

/** The minimum score of two SOPs about related work. */
const related = 0.15;

/**
 * Finds the best category of a draft. A category whose name shares a word with title or tags wins; among several, the
 * one that shares the larger part of its name. Otherwise the SOPs with similar titles, descriptions and tags decide,
 * then a name such as "General".
 * @param sops the SOPs that the author can see
 * @returns the category's id; null if no category fits
 */
export function fittingCategoryId(
  draft: SopSubject,
  categories: readonly NamedCategory[],
  sops: readonly FiledSop[],
): string | null {
  const words = new Set(meaningfulStemsIn([draft.title, ...(draft.tags ?? [])].join("\n")));
  const shares = categories.map(({ id, name }) => {
    const subjects = meaningfulStemsIn(name).filter((stem) => !general.has(stem));
    const shared = subjects.filter((stem) => words.has(stem)).length;
    return { id, share: shared === 0 ? 0 : shared + shared / subjects.length };
  });
  const most = Math.max(0, ...shares.map(({ share }) => share));
  const named = shares.filter(({ share }) => share === most).map(({ id }) => id);
  const [only] = named;
  if (most > 0 && only !== undefined && named.length === 1) return only;
  const alike = mostSimilarCategoryId(draft, most > 0 ? named : categories.map(({ id }) => id), sops);
  return alike ?? (most > 0 ? only : categories.find(hasGeneralName)?.id) ?? null;
}

/** Tells whether a category's name contains only general words. "IT Operations" is not general, because of "IT". */
const hasGeneralName = ({ name }: NamedCategory): boolean =>
  name
    .toLowerCase()
    .split(/\s+/)
    .every((word) => generalWords.split(" ").includes(word));

/** Returns the id of the category with the SOPs that are most similar to the draft; null without similar SOPs. */
function mostSimilarCategoryId(draft: SopSubject, ids: readonly string[], sops: readonly FiledSop[]): string | null {
  const scores = new Map<string, number>();
  for (const { head, score } of createLikenessRanking(sops)(draft)) {
    const id = head.categoryId;
    if (score >= related && id !== null && ids.includes(id)) scores.set(id, (scores.get(id) ?? 0) + score);
  }
  const [best] = [...scores].toSorted(([, one], [, other]) => other - one);
  return best?.[0] ?? null;
}
