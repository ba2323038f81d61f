/** The category of a draft, without a model: by the words of its name, then by the SOPs like it. */
import { likenessTo, stemsIn, type SopSubject } from "./similar.ts";

interface NamedCategory {
  id: string;
  name: string;
}

interface FiledSop extends SopSubject {
  categoryId: string | null;
}

/** Words of names that say nothing about the subject. */
const generalWords = "procedures protocols processes operations instructions documents sops general other";
const general = new Set(stemsIn(generalWords));

/** From this score on, SOPs are about related work. */
const related = 0.15;

/**
 * A word of a category's name in title or tags decides; of several such categories, the one with the larger part of its
 * name there. Else the SOPs with similar titles, descriptions and tags decide, then a name such as "General".
 * @param sops those that the author can see
 * @returns its id; null where no category fits
 */
export function fittingCategory(
  draft: SopSubject,
  categories: readonly NamedCategory[],
  sops: readonly FiledSop[],
): string | null {
  const words = new Set(stemsIn([draft.title, ...(draft.tags ?? [])].join("\n")));
  const shares = categories.map(({ id, name }) => {
    const subjects = stemsIn(name).filter((stem) => !general.has(stem));
    const shared = subjects.filter((stem) => words.has(stem)).length;
    return { id, share: shared === 0 ? 0 : shared + shared / subjects.length };
  });
  const most = Math.max(0, ...shares.map(({ share }) => share));
  const named = shares.filter(({ share }) => share === most).map(({ id }) => id);
  const [only] = named;
  if (most > 0 && only !== undefined && named.length === 1) return only;
  const alike = byLikeness(draft, most > 0 ? named : categories.map(({ id }) => id), sops);
  return alike ?? (most > 0 ? only : categories.find(isGeneral)?.id) ?? null;
}

/** Its name limits it to no subject: of "IT Operations", both words count. */
const isGeneral = ({ name }: NamedCategory): boolean =>
  name
    .toLowerCase()
    .split(/\s+/)
    .every((word) => generalWords.split(" ").includes(word));

/** Where the most similar SOPs are. */
function byLikeness(draft: SopSubject, ids: readonly string[], sops: readonly FiledSop[]): string | null {
  const scores = new Map<string, number>();
  for (const { head, score } of likenessTo(sops)(draft)) {
    const id = head.categoryId;
    if (score >= related && id !== null && ids.includes(id)) scores.set(id, (scores.get(id) ?? 0) + score);
  }
  const [best] = [...scores].toSorted(([, one], [, other]) => other - one);
  return best?.[0] ?? null;
}
