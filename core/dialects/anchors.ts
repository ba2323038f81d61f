/** Reads targets of MyST: links and `{ref}` with the name in `(name)=` lead to the heading below it. */
import { texts, withOmitted } from "./texts.ts";
import GithubSlugger from "github-slugger";
import { headingDepth, keepAsFencedBlock, omittedAttributesText } from "./boxes.ts";
import type { RecognizedBlock, ConstructPlace } from "./construct.ts";
import { parseAttributes } from "./directives.ts";
import { fencedLineFlags, isBlankLine, type SourceLine } from "../text/lines.ts";

export interface HeadingAnchor {
  /** The address of the heading, without `#`. */
  slug: string;
  title: string;
  /** The address of the document with the heading; absent for the same document. */
  document?: string;
}

export type Anchors = ReadonlyMap<string, HeadingAnchor>;

const target = /^[ \t]*\(([^()\s][^()]*)\)=[ \t]*$/;

/** Finds the headings that targets name. A heading without a target above it isn't included. */
export function findHeadingAnchors(lines: readonly SourceLine[]): Anchors {
  const anchors = new Map<string, HeadingAnchor>();
  if (!lines.some(({ text }) => target.test(text))) return anchors;
  const fenced = fencedLineFlags(lines);
  const slugger = new GithubSlugger();
  let names: string[] = [];
  lines.forEach(({ text }, index) => {
    if (fenced[index] || isBlankLine(text)) {
      if (fenced[index]) names = [];
      return;
    }
    const name = target.exec(text)?.[1];
    if (name !== undefined) names.push(name);
    else {
      const depth = headingDepth(text);
      if (depth > 0) {
        const title = withoutInlineMarkup(
          text
            .trim()
            .slice(depth)
            .replace(/[ \t]#+$/, "")
            .replace(headingList, ""),
        );
        const slug = slugger.slug(title);
        for (const one of names) anchors.set(one, { slug, title });
      }
      names = [];
    }
  });
  return anchors;
}

/** Matches `## Lid { #lid .big }`: the attributes with which MkDocs, Hugo and Docusaurus name a heading. */
const headingList = /[ \t]+(\{:?[ \t]*[#.][\w:-]+[^{}\n]*\})[ \t]*#*[ \t]*$/;

/**
 * Removes the attribute list of a heading. `createHeadingLookup` redirects links from its name to the heading's own anchor.
 */
export function readHeadingAttributes({ lines, index, add }: ConstructPlace): RecognizedBlock | undefined {
  const line = lines[index];
  const list = line !== undefined && headingDepth(line.text) > 0 ? headingList.exec(line.text) : null;
  if (line === undefined || list === null) return undefined;
  const [, name = ""] = list;
  const attributes = parseAttributes(name);
  const what = attributes.has("id") ? texts.anchor() : texts.leftOut();
  add({
    dialect: "mkdocs",
    name,
    line: line.origin,
    outcome: "mapped",
    code: "attribute-list",
    what: withOmitted(what, omittedAttributesText(attributes, ["id"])),
    source: name,
  });
  return { end: index + 1, out: [{ ...line, text: line.text.slice(0, list.index) }] };
}

/** Returns the address for links to the heading. */
export function anchorAddress({ document = "", slug }: HeadingAnchor): string {
  return `${document}#${slug}`;
}

const asked = /\{(?:std:)?(?:num)?ref\}(`+)([^`]+)\1|\]\(#([^()\s#]{1,300})\)/g;

/** Returns the names that `{ref}` and links use as targets, in this document or in others. */
export function referencedNames(text: string): Set<string> {
  return new Set(
    [...text.matchAll(asked)].map(([, , role = "", link]) => link ?? /<([^<>]+)>$/.exec(role)?.[1] ?? role),
  );
}

function withoutInlineMarkup(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]|(?<!\w)_|_(?!\w)/g, "")
    .trim();
}

/** Removes a target if its heading is known, and keeps it otherwise. */
export function readAnchorTarget(place: ConstructPlace, anchors: Anchors): RecognizedBlock | undefined {
  const { lines, index } = place;
  const line = lines[index];
  const name = target.exec(line?.text ?? "")?.[1];
  if (line === undefined || name === undefined) return undefined;
  const end = index + 1;
  const shown = `(${name})=`;
  const anchor = anchors.get(name);
  if (anchor === undefined) {
    return keepAsFencedBlock(place, end, { dialect: "myst", name: shown, code: "target" });
  }
  const what = texts.anchorNamed({ anchor: anchor.slug });
  const about = { dialect: "myst" as const, name: shown, line: line.origin, code: "target" as const };
  place.add({ ...about, outcome: "mapped", what, source: shown });
  return { end, out: [{ text: "", origin: line.origin }] };
}
