/** Random sequences of a company's moves, without those that its state doesn't allow. */
import fc from "fast-check";
import { createCompanyStory, type CompanyStory, type StorySop } from "./company-story.ts";

const verbs =
  "create save save save publish publish unpublish archive unarchive delete undelete move restore import category".split(
    " ",
  );

export interface StoryMove {
  verb: string;
  sop: number;
  text: string;
  seconds: number;
}

export const moves = fc.array(
  fc.record({
    verb: fc.constantFrom(...verbs),
    sop: fc.nat(5),
    text: fc.string({ unit: "grapheme", maxLength: 30 }),
    seconds: fc.integer({ min: -100_000, max: 100_000 }),
  }),
  { minLength: 1, maxLength: 25 },
);

export function playRandomly(list: readonly StoryMove[]): CompanyStory {
  const story = createCompanyStory();
  const image = `${story.ledger.putAsset(Buffer.from("GIF89a"))}.gif`;
  for (const [index, move] of list.entries()) {
    const at = new Date(Date.UTC(2026, 5, 1, 0, 0, index * 60 + move.seconds, 500)).toISOString();
    playMove(story, move, image, { at, note: move.text });
  }
  return story;
}

function playMove(
  story: CompanyStory,
  { verb, sop: which, text }: StoryMove,
  image: string,
  more: { at: string; note: string },
): void {
  const category = [null, "it-operations", "hr-procedures"][which % 3] ?? null;
  if (verb === "create") story.create(text, `${text}\n`, { category, template: which === 5 }, more);
  if (verb === "import")
    story.importBatch(
      [
        { title: text, body: text },
        { title: "Second", body: `${text}\n` },
      ],
      more,
    );
  if (verb === "category")
    story.setCategories([{ slug: `c${which}`, name: text, color: "accent", order: which }], more);
  const sop = story.sops[which];
  if (sop !== undefined) playOn(story, sop, verb, text, which % 2 === 0 ? [image] : [], category, more);
}

function playOn(
  story: CompanyStory,
  sop: StorySop,
  verb: string,
  text: string,
  assets: string[],
  category: string | null,
  more: { at: string; note: string },
): void {
  if (sop.deletedAt !== null) {
    if (verb === "undelete") story.undelete(sop, more);
    return;
  }
  const archived = sop.status === "archived";
  if (verb === "save") story.save(sop, text, `${text}\n`, assets, more);
  if (verb === "restore") story.restore(sop, 1, more);
  if (verb === "delete") story.remove(sop, more);
  if (verb === "move") story.move(sop, category, more);
  if (verb === "publish" && !archived && sop.published?.version !== sop.version) story.publish(sop, more);
  if (verb === "unpublish" && sop.published !== null) story.unpublish(sop, more);
  if (verb === "archive" && !archived) story.archive(sop, more);
  if (verb === "unarchive" && archived) story.unarchive(sop, more);
}
