/** Turns numbers that a text mentions into links to their SOPs. */
import { mentionedNumbers, type SopMention } from "#core/markdown/sop-mentions.ts";
import type { Actor } from "#core/permissions/actor.ts";
import type { SopLink, SopLinkPlace } from "#core/markdown/sop-links.ts";
import type { ImportNote } from "../import/read.ts";
import { linkSops, type LinkedText, type LinkingNeeds } from "./link-sops.ts";
import { findVisibleSops } from "./titles.ts";

/** The texts and links that a new text is based on, and the number of its SOP. */
export interface TextBefore {
  texts: readonly string[];
  links: readonly SopLink[];
  /** The number of the text's own SOP, because a text doesn't link to its own SOP. */
  own?: string | undefined;
  /** True if the author saw the links of the earlier texts. A number that is plain now was then unlinked on purpose. */
  sawLinks: boolean;
}

export interface TextToLink {
  markdown: string;
  /** The links to SOPs, if known. */
  sopLinks?: readonly SopLinkPlace[];
}

/**
 * Returns notes on numbers that became links.
 * @param file the file that the body was read from: notes have line numbers of this file
 */
export function mentionNotes(mentions: readonly SopMention[], body: string, file = ""): ImportNote[] {
  if (mentions.length === 0) return [];
  // lines are compared without punctuation, because the Markdown of the body can differ from the file's
  const [lines, ofFile] = [body, file].map((text) =>
    text.split("\n").map((line) => line.replace(/[^\p{L}\p{N}]/gu, "")),
  );
  return mentions.map(({ number, line }) => {
    const text = lines?.[line - 1];
    const place = lines?.slice(0, line).filter((one) => one === text).length ?? 0;
    const same = ofFile?.flatMap((one, index) => (one === text ? [index + 1] : [])) ?? [];
    const at = same[place - 1];
    return { code: "number-linked", message: `${number} became a link`, ...(at === undefined ? {} : { line: at }) };
  });
}

/**
 * Like `linkSops`, but also turns numbers in new words into links if their SOP exists, isn't archived and the actor can
 * see it.
 *
 * @returns also the mentions that became links, in the order of the text
 */
export async function linkText(
  services: LinkingNeeds,
  actor: Actor,
  { markdown, sopLinks }: TextToLink,
  { texts, links, own, sawLinks }: TextBefore,
): Promise<LinkedText & { mentions: SopMention[] }> {
  const linked = await linkSops(services, actor, markdown, links, sopLinks);
  const mentioned = mentionedNumbers(linked.markdown, texts);
  if (mentioned.length === 0) return { ...linked, mentions: [] };
  const seen = await findVisibleSops(services, actor, mentioned);
  const numbers = mentioned.filter((number) => {
    const sop = seen.get(number)?.sop;
    // a link to an archived SOP would block publishing
    return sop?.label === number && sop.status !== "archived" && number !== own;
  });
  if (numbers.length === 0) return { ...linked, mentions: [] };
  const { markdown: text, mentions } = await services.render.linkMentions({
    markdown: linked.markdown,
    before: texts,
    numbers,
    unlinked: sawLinks,
  });
  if (mentions.length === 0) return { ...linked, mentions };
  return { ...(await linkSops(services, actor, text, links)), mentions };
}
