/** Finds the SOPs that a draft can refer to: published, readable by the user, and found by the words of the prompt. */
import type { Actor } from "#core/permissions/actor.ts";
import { actorAsReader } from "#core/permissions/can.ts";
import type { ReferenceSources } from "#core/ai/write-draft.ts";
import { parseQuery } from "#core/search/query.ts";
import type { Services } from "../http/services.ts";
import { questionForAnyTerm } from "../search/match.ts";
import { createVisibleLookup } from "../search/visible.ts";

const sourcesAtMost = 12;
/** The maximum number of search results to check for SOPs that the user can see. */
const rowsAtMost = 200;
/** The minimum score, as a share of the best score. SOPs below it only have common words of the prompt. */
const leastScore = 0.2;

/** Finds the sources. The keys are short names such as `s1`, so that the provider doesn't get the ids of SOPs. */
export async function findSourcesFor(
  { db, clock, search }: Pick<Services, "db" | "clock" | "search">,
  user: Actor,
  prompt: string,
): Promise<ReferenceSources> {
  const actor = actorAsReader(user);
  const { terms } = parseQuery(`${prompt} `);
  if (!terms || terms.length === 0) return new Map();
  const rows = await search.ask(actor, (reading) =>
    reading.bestRows(questionForAnyTerm(terms), { offset: 0, limit: rowsAtMost }),
  );
  const seen = await (await createVisibleLookup({ db, clock }, actor, { status: "published" }))(rows);
  // compare with the best visible SOP only, so that the result can't reveal that an invisible SOP exists
  const own = rows.filter(({ sopId }) => seen.has(sopId));
  const near = own.filter(({ score }) => score >= leastScore * (own[0]?.score ?? 0));
  const published = [...new Set(near.map(({ sopId }) => sopId))].flatMap((sopId) => {
    const title = seen.get(sopId)?.sop.published?.title;
    return title === undefined ? [] : [{ title, href: `/sop/${sopId}` }];
  });
  return new Map(published.slice(0, sourcesAtMost).map((source, index) => [`s${index + 1}`, source]));
}

const newestAtMost = 50;

/** Finds the most frequent language of the company's newest SOPs; `en` if they have none. */
export async function findMostFrequentLanguage({ db }: Pick<Services, "db">, companyId: string): Promise<string> {
  const newest = await db
    .forCompany(companyId)
    .collection("sops")
    .find({ live: true }, { sort: { updatedAt: -1, _id: -1 }, limit: newestAtMost, projection: { lang: 1 } });
  const counts = new Map<string, number>();
  for (const { lang } of newest) if (lang !== null) counts.set(lang, (counts.get(lang) ?? 0) + 1);
  const [usual] = [...counts].sort(([, a], [, b]) => b - a);
  return usual?.[0] ?? "en";
}
