/** What a draft may refer to: SOPs in force that the asker may read, found by the words of what he asks for. */
import type { Actor } from "#core/access/actor.ts";
import type { Sources } from "#core/ai/write-draft.ts";
import type { Services } from "../http/services.ts";
import { find } from "../search/find.ts";

const sourcesAtMost = 12;
/** A question is found by its first words; the rest of a long one is for the model. */
const wordsAtMost = 400;

/** By short names: ids of ours are nothing for a provider to see. */
export async function sourcesFor(
  services: Pick<Services, "db" | "clock" | "search">,
  actor: Actor,
  prompt: string,
): Promise<Sources> {
  const q = prompt.slice(0, wordsAtMost);
  const { hits } = await find(services, actor, { q, status: "published" }, { wanted: sourcesAtMost });
  const inForce = hits.flatMap(({ sop }) =>
    sop.inForce ? [{ title: sop.inForce.title, href: `/sop/${sop._id}` }] : [],
  );
  return new Map(inForce.map((source, index) => [`s${index + 1}`, source]));
}

const newestAtMost = 50;

/** What the company's newest SOPs are mostly written in. */
export async function usualLanguage({ db }: Pick<Services, "db">, companyId: string): Promise<string> {
  const newest = await db
    .forCompany(companyId)
    .collection("sops")
    .find({ live: true }, { sort: { updatedAt: -1, _id: -1 }, limit: newestAtMost, projection: { lang: 1 } });
  const counts = new Map<string, number>();
  for (const { lang } of newest) if (lang !== null) counts.set(lang, (counts.get(lang) ?? 0) + 1);
  const [usual] = [...counts].sort(([, a], [, b]) => b - a);
  return usual?.[0] ?? "en";
}
