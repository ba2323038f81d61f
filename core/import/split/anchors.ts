import type { Heading, Root } from "mdast";
import GithubSlugger from "github-slugger";
import { toString as textOf } from "mdast-util-to-string";
import { percentDecoded } from "#core/text/percent-decoded.ts";
import { eachNode } from "#core/markdown/parse.ts";
import { startOffsetOf } from "./cuts.ts";

/** The part to which an anchor of the whole text moved. */
export interface AnchorPlace {
  part: number;
  /** The fragment with `#`; empty for the heading that became the part's title. */
  fragment: string;
}

/**
 * Creates a function that finds the new part and name of headings and HTML ids by their names in the whole text. Equal
 * headings are numbered, so a split can change their names.
 *
 * @param partAt returns the part that contains an offset of the text
 * @param titles headings that are no longer in the text
 */
export function createAnchorFinder(
  tree: Root,
  partAt: (offset: number) => number,
  titles: ReadonlySet<Heading>,
): (fragment: string) => AnchorPlace | undefined {
  const whole = new GithubSlugger();
  const sluggers = new Map<number, GithubSlugger>();
  const places = new Map<string, AnchorPlace>();
  const addAnchor = (name: string, place: AnchorPlace) => {
    if (!places.has(name)) places.set(name, place);
  };
  eachNode(tree, (node, parents) => {
    const part = partAt(startOffsetOf(node));
    if (node.type === "html") {
      const isInTitle = parents.some((parent) => parent.type === "heading" && titles.has(parent));
      for (const [, , name = ""] of node.value.matchAll(/\s(?:id|name)=(["'])([^"'<>\s]+)\1/g))
        addAnchor(name, { part, fragment: isInTitle ? "" : `#${name}` });
    }
    if (node.type !== "heading") return;
    const words = textOf(node, { includeImageAlt: false, includeHtml: false });
    const own = /^(.*?)\s*\{:?\s*#([\w-]+)[^{}]*\}$/.exec(words);
    const isTitle = titles.has(node);
    const slugger = sluggers.get(part) ?? new GithubSlugger();
    sluggers.set(part, slugger);
    const fragment = isTitle ? "" : `#${slugger.slug(own?.[1] ?? words)}`;
    addAnchor(whole.slug(own?.[1] ?? words), { part, fragment });
    if (own?.[2] !== undefined) addAnchor(own[2], { part, fragment });
  });
  return (fragment) => {
    const name = percentDecoded(fragment.slice(1));
    return places.get(name) ?? places.get(name.toLowerCase());
  };
}
