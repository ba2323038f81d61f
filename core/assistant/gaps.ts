/**
 * Finds gaps: SOPs that seem to be missing, by rules and with evidence. The rules only get SOPs that the user can see,
 * so no result reveals another SOP.
 */
import { sopKeyOf } from "#core/markdown/sop-links.ts";
import { slugify } from "#core/repository/slugs.ts";
import { gapTextsOf, type GapRule } from "./gap-titles.ts";
import { nameKey, type Reference, type TextNames } from "./names.ts";
import { createLikenessRanking, sameTitle, sameSubject, meaningfulStemsIn, type SopSubject } from "./similar.ts";

export interface ReadableSop extends SopSubject {
  id: string;
  /** The SOP's number as it is written in links: `SOP-0042`. */
  number: string;
  /** The version that the user sees. */
  version: number;
  categoryId: string | null;
  /** The next periodic review of the published version: `YYYY-MM-DD`. */
  reviewBy: string | null;
  names: TextNames;
}

export interface GapSources {
  sops: readonly ReadableSop[];
  /** Archived SOPs. A link to one of them is not a gap. */
  retired: readonly { id: string; number: string; title: string }[];
  templates: readonly (SopSubject & { id: string })[];
  /** Words that several people searched for without results. */
  searches: readonly { words: string; people: number }[];
  /** Today's date: `YYYY-MM-DD`. */
  today: string;
  /** Titles of suggestions that were dismissed or accepted before. */
  unwanted: readonly string[];
}

export interface GapEvidence {
  rule: GapRule;
  sopId: string | null;
  version: number | null;
  /** The words that are the evidence, as written in the text. */
  detail: string;
  /** The number of occurrences, if the rule counts them. */
  count?: number;
}

export interface MissingSop {
  /** Identifies the gap. A later search gives the same gap the same key. */
  key: string;
  title: string;
  description: string;
  categoryId: string | null;
  evidence: GapEvidence[];
  similarTo: { sopId: string; version: number; score: number }[];
  template: string | null;
}

/** The minimum number of SOPs that name a role or a device without its own SOP. */
const sopsAtLeast = 3;
const peopleAtLeast = 3;
const evidenceAtMost = 10;
const ofOneRule = 12;
const gapsAtMost = 50;
/** The minimum score of an SOP that counts as made from the template. */
const templateIsUsed = 0.27;
/** The minimum score of SOPs that are listed as similar to a gap. */
const worthTelling = 0.15;
/** The subject of this template is keeping periodic reviews on time. */
const reviewTemplate = "document-control";

/**
 * Finds the gaps of all rules in turn, the strongest of each rule first. Gaps that an existing SOP covers, and
 * duplicates, are left out.
 */
export function findGaps(sources: GapSources): MissingSop[] {
  const { sops, unwanted } = sources;
  const likeness = createLikenessRanking(sops);
  const notWanted = createLikenessRanking(
    unwanted.map((title) => ({ title })),
    sops,
  );
  const found: MissingSopCandidate[] = [];
  const byRule = [
    candidatesFromLinks,
    candidatesFromSearches,
    createNameRule("equipment"),
    createNameRule("roles"),
    candidatesFromTemplates,
  ].map((rule) => rule(sources));
  for (const candidate of interleaveLists(byRule.map((gaps) => gaps.slice(0, ofOneRule)))) {
    if (found.length === gapsAtMost) break;
    const near = likeness(candidate.about);
    const isThere = (near[0]?.score ?? 0) >= similarityLimit(candidate.gap);
    if (isThere || (notWanted(candidate.gap)[0]?.score ?? 0) >= sameSubject) continue;
    if (mergeSameSubject(found, candidate, sops)) continue;
    candidate.gap.similarTo = similarSopsOf(near);
    found.push(candidate);
  }
  return found.map(({ gap }) => gap);
}

/**
 * Returns the score at which an existing SOP covers a gap. For a link by title, only an SOP with exactly that title
 * covers the gap.
 */
function similarityLimit({ key, template }: MissingSop): number {
  if (template !== null) return templateIsUsed;
  return key.startsWith("link:") ? sameTitle : sameSubject;
}

interface MissingSopCandidate {
  gap: MissingSop;
  /** The words by which the gap is compared with existing SOPs. */
  about: SopSubject;
}

function similarSopsOf(near: readonly { head: ReadableSop; score: number }[]): MissingSop["similarTo"] {
  const similar = near.filter(({ score }) => score >= worthTelling).slice(0, 3);
  return similar.map(({ head, score }) => ({
    sopId: head.id,
    version: head.version,
    score: Math.round(score * 100) / 100,
  }));
}

/**
 * Merges a gap into an earlier gap on the same subject, with the evidence of both. @returns false if there is no such
 * gap
 */
function mergeSameSubject(
  found: readonly MissingSopCandidate[],
  { gap, about }: MissingSopCandidate,
  sops: readonly ReadableSop[],
): boolean {
  const earlier = found.map((candidate) => ({ ...candidate.about, gap: candidate.gap }));
  const [same] = createLikenessRanking(earlier, sops)(about);
  if (same === undefined || same.score < sameSubject) return false;
  const { evidence, template } = same.head.gap;
  same.head.gap.evidence = [...evidence, ...gap.evidence].slice(0, evidenceAtMost);
  same.head.gap.template = template ?? gap.template;
  return true;
}

/** Takes the first entry of each list, then the second of each, and so on. */
function interleaveLists<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

function gapCandidate(
  key: string,
  rule: GapRule,
  words: string,
  evidence: readonly GapEvidence[],
  sops: readonly ReadableSop[] = [],
): MissingSopCandidate {
  return {
    about: { title: words },
    gap: {
      key,
      ...gapTextsOf(rule, words),
      categoryId: mostFrequent(sops.map(({ categoryId }) => categoryId)),
      evidence: evidence.slice(0, evidenceAtMost),
      similarTo: [],
      template: null,
    },
  };
}

function mostFrequent(ids: readonly (string | null)[]): string | null {
  const counts = new Map<string | null, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null;
}

interface NamedSops {
  words: string;
  sops: ReadableSop[];
}

/** Collects the names in all texts, most frequent first. */
function collectNames(
  sops: readonly ReadableSop[],
  namesOf: (sop: ReadableSop) => readonly string[],
): { key: string; named: NamedSops }[] {
  const all = new Map<string, NamedSops>();
  for (const sop of sops) {
    for (const words of namesOf(sop)) {
      const key = nameKey(words);
      const named = all.get(key) ?? { words, sops: [] };
      all.set(key, named);
      if (!named.sops.includes(sop)) named.sops.push(sop);
    }
  }
  return [...all]
    .map(([key, one]) => ({ key, named: one }))
    .filter(({ key }) => key !== "")
    .sort((one, other) => other.named.sops.length - one.named.sops.length || (one.key < other.key ? -1 : 1));
}

/** Finds links and titles that name no existing SOP. */
function candidatesFromLinks({ sops, retired }: GapSources): MissingSopCandidate[] {
  const all = [...sops, ...retired];
  const keys = new Set(all.flatMap(({ id, number }) => [id, number]));
  const slugs = new Set(all.map(({ title }) => slugify(title)));
  const exactly = new Set(all.map(({ title }) => nameKey(title)));
  const like = createLikenessRanking(all);
  const isKnownReference = ({ title, target }: Reference) => {
    if (target?.kind === "id") return keys.has(sopKeyOf(target.id) ?? target.id);
    if (target?.kind === "file" && slugs.has(slugify(target.name))) return true;
    return exactly.has(nameKey(title)) || (like({ title })[0]?.score ?? 0) >= sameTitle;
  };
  const dangling = collectNames(sops, ({ names }) =>
    names.references.filter((one) => !isKnownReference(one)).map(({ title }) => title),
  );
  return dangling.map(({ key, named: { words, sops: holders } }) =>
    gapCandidate(`link:${key}`, "dangling-link", words, gapEvidenceOf("dangling-link", words, holders), holders),
  );
}

function gapEvidenceOf(rule: GapRule, detail: string, sops: readonly ReadableSop[]): GapEvidence[] {
  return sops.map(({ id, version }) => ({ rule, sopId: id, version, detail }));
}

function candidatesFromSearches({ searches: missed }: GapSources): MissingSopCandidate[] {
  return missed
    .filter(({ people }) => people >= peopleAtLeast)
    .toSorted((one, other) => other.people - one.people || (one.words < other.words ? -1 : 1))
    .map(({ words, people }) => {
      const evidence = {
        rule: "zero-result-search",
        sopId: null,
        version: null,
        detail: words,
        count: people,
      } as const;
      return gapCandidate(`search:${nameKey(words)}`, "zero-result-search", words, [evidence]);
    });
}

/** Creates a rule that finds roles or equipment that several SOPs name but that no SOP has in its title. */
function createNameRule(what: "roles" | "equipment"): (sources: GapSources) => MissingSopCandidate[] {
  const rule = what === "roles" ? "role" : "equipment";
  return ({ sops }) => {
    const titles = sops.map(({ title }) => new Set(meaningfulStemsIn(title)));
    const hasOwnSop = (words: string) =>
      titles.some((stems) => meaningfulStemsIn(words).every((stem) => stems.has(stem)));
    return collectNames(sops, ({ names }) => names[what])
      .filter(({ named: { words, sops: holders } }) => holders.length >= sopsAtLeast && !hasOwnSop(words))
      .map(({ key, named: { words, sops: holders } }) =>
        gapCandidate(`${rule}:${key}`, rule, words, gapEvidenceOf(rule, words, holders), holders),
      );
  };
}

/**
 * Creates a candidate for each template of the library. The candidate of the template for reviews has overdue reviews as
 * further evidence.
 */
function candidatesFromTemplates({ sops, templates: library, today }: GapSources): MissingSopCandidate[] {
  const like = createLikenessRanking(sops);
  const overdue = sops.filter(({ reviewBy }) => reviewBy !== null && reviewBy < today);
  return library
    .map((template) => {
      const [near] = like(template);
      const evidence: GapEvidence = { rule: "template", sopId: null, version: null, detail: template.title };
      const missed = template.id === reviewTemplate ? overdue : [];
      const late = missed.map(({ id, version, reviewBy }): GapEvidence => {
        return { rule: "review-overdue", sopId: id, version, detail: reviewBy ?? "" };
      });
      const isNear = near !== undefined && near.score >= worthTelling;
      const missing: MissingSop = {
        key: `template:${template.id}`,
        title: template.title,
        description: template.description ?? "",
        categoryId: isNear ? near.head.categoryId : null,
        evidence: [...late, evidence].slice(0, evidenceAtMost),
        similarTo: [],
        template: template.id,
      };
      return { gap: missing, about: template };
    })
    .toSorted((one, other) => other.gap.evidence.length - one.gap.evidence.length);
}
