/** Finds the best template for a user's request, and writes a title for the new document. */
import { limits } from "#core/limits.ts";
import { rankDocuments, type RankDocument, type RankedDocument } from "#core/search/rank.ts";

/**
 * Tells whether a template has the subject of the request: it contains all of the request's words, or at least half of
 * them and more than one.
 */
const isAboutSubject = ({ coverage, found }: Pick<RankedDocument<unknown>, "coverage" | "found">) =>
  coverage === 1 || (coverage >= 0.5 && found.length > 1);

/**
 * Finds the template whose title, description and tags contain most words of the request; null if no template is about
 * the subject, or if none of the words is in its title and tags. Bodies don't count, because every long text contains
 * words such as "clean" and "employee".
 */
export function bestTemplate<T extends Omit<RankDocument, "text">>(
  prompt: string,
  templates: readonly T[],
): { template: T; found: readonly string[] } | null {
  const heads = templates.map(({ title, description = "", tags = [], lang = null }, at) => {
    return { title, description, tags, lang, at };
  });
  const asked = prompt.replace(opening, "");
  const named = rankDocuments(
    asked,
    heads.map((head) => ({ ...head, description: "" })),
  );
  const first = rankDocuments(asked, heads).find(
    (one) => isAboutSubject(one) && named.some(({ document }) => document.at === one.document.at),
  );
  const template = first && templates[first.document.at];
  return template === undefined ? null : { template, found: first?.found ?? [] };
}

const opening =
  /^(?:please\s+)?(?:(?:write|create|draft|generate|make)\s+)?(?:me\s+)?(?:(?:an?|the|our)\s+)?(?:(?:new\s+)?(?:sop|standard operating procedure|procedure)s?\s+)(?:(?:for|about|on|to|of|how to)\s+)?/i;

/** Makes a title from a request: `Write an SOP for draining tank 4. It …` → `Draining tank 4`. */
export function titleFromPrompt(prompt: string): string {
  const sentence = prompt.split(/(?<=[.!?])\s|\n/)[0]?.replace(/[.!?]+$/, "") ?? prompt;
  const words = sentence.replace(opening, "").trim() || sentence;
  return (words.charAt(0).toUpperCase() + words.slice(1)).slice(0, limits.titleCharacters);
}
