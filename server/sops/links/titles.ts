/** Finds the titles of the SOPs that a text links, as far as a user sees them. */
import type { SopLink } from "#core/markdown/sop-links.ts";
import { sopKeysLinkedInHtml, withLiveTitles } from "#core/markdown/live-titles.ts";
import type { Actor } from "#core/permissions/actor.ts";
import { sopsNamedByNumber, readPossibleNumbers } from "#core/numbers/numbers.ts";
import { isId } from "#core/ids.ts";
import { visibleVersion } from "#core/permissions/can.ts";
import type { SopDocument } from "../../database/documents.ts";
import type { Services } from "../../http/services.ts";
import type { View } from "../list/visible.ts";

export interface LinkedSop {
  sop: SopDocument;
  view: View;
  /** The title that the user sees. */
  title: string;
}

/**
 * The maximum number of SOP numbers that are also looked up in other spellings, because a number can have many
 * spellings.
 */
const spelledAtMost = 500;

/**
 * Finds the SOPs with these numbers and ids that the actor can see, deleted ones included, in one query. SOPs that the
 * actor can't see are left out, like unknown ones.
 *
 * @param starts the starts that a number without a start can have
 * @returns the SOPs by id, by number, and by the requested spelling unless it can mean several SOPs
 */
export async function findVisibleSops(
  { db }: Pick<Services, "db">,
  actor: Actor,
  keys: Iterable<string>,
  starts: readonly string[] = [],
): Promise<Map<string, LinkedSop>> {
  const seen = new Map<string, LinkedSop>();
  const wanted = [...new Set(keys)];
  if (wanted.length === 0) return seen;
  const asked = wanted
    .filter((key) => !isId(key))
    .map((key) => {
      const reading = readPossibleNumbers(key, starts);
      return {
        key,
        reading: wanted.length <= spelledAtMost ? reading : { ...reading, keys: reading.keys.slice(0, 1) },
      };
    });
  const found = await db
    .forCompany(actor.companyId)
    .collection("sops")
    .find({
      $or: [
        { labelKey: { $in: [...new Set(asked.flatMap(({ reading }) => reading.keys))] } },
        { _id: { $in: wanted } },
      ],
    });
  for (const sop of found) {
    const view = visibleVersion(actor, sop);
    if (view === "nothing") continue;
    const title = view === "published" && sop.published ? sop.published.title : sop.title;
    for (const key of [sop._id, sop.label]) seen.set(key, { sop, view, title });
  }
  const byKey = new Map([...seen.values()].map(({ sop }) => [sop.labelKey, sop]));
  for (const { key, reading } of asked) {
    const [sop, ...others] = sopsNamedByNumber(
      reading,
      reading.keys.flatMap((one) => byKey.get(one) ?? []),
    );
    const named = others.length > 0 ? undefined : seen.get(sop?._id ?? "");
    if (named !== undefined) seen.set(key, named);
  }
  return seen;
}

/** Returns the blocks of a comparison, with titles as in `withVisibleTitles`. */
export async function blocksWithVisibleTitles<B extends { html: string }>(
  services: Pick<Services, "db">,
  actor: Actor,
  blocks: readonly B[],
  links: readonly SopLink[],
): Promise<B[]> {
  const seen = await findVisibleSops(services, actor, new Set(blocks.flatMap(({ html }) => sopKeysLinkedInHtml(html))));
  const titles = titlesByKey(seen);
  return blocks.map((block) => ({ ...block, html: withLiveTitles(block.html, links, titles) }));
}

/** Replaces the titles of linked SOPs by those that a reader can see, because all readers share rendered HTML. */
export async function withVisibleTitles(
  services: Pick<Services, "db">,
  actor: Actor,
  html: string,
  links: readonly SopLink[] = [],
): Promise<string> {
  const keys = sopKeysLinkedInHtml(html);
  if (keys.length === 0) return html;
  return withLiveTitles(html, links, titlesByKey(await findVisibleSops(services, actor, keys)));
}

function titlesByKey(seen: ReadonlyMap<string, LinkedSop>): Map<string, string> {
  return new Map([...seen].map(([key, { title }]) => [key, title]));
}
