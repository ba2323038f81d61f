import type { Heading, Root, RootContent } from "mdast";
import { plainText } from "#core/markdown/plain-text.ts";
import { sectionKindsOf, type SectionKind } from "../markdown/section-names.ts";

export interface OutlineSection {
  heading: Heading;
  title: string;
  /** The kinds of section that the heading names: "Purpose and scope" names two. */
  kinds: readonly SectionKind[];
  /** The section's own kind, or the kind of the nearest section around it. */
  within: SectionKind | undefined;
  /** The text between this heading and the next one of any level. */
  body: readonly RootContent[];
  /** Offsets of the whole section, including its subsections. */
  start: number;
  end: number;
  hasParts: boolean;
}

export interface Outline {
  /** The text before the first heading, without front matter. */
  opening: readonly RootContent[];
  sections: readonly OutlineSection[];
}

/** Reads the sections of a file. Headings in quotes or lists begin no section. */
export function readOutline(tree: Root): Outline {
  const { children } = tree;
  const starts = children.flatMap((node, index) => (node.type === "heading" ? [index] : []));
  const around: OutlineSection[] = [];
  const sections = starts.map((start, at): OutlineSection => {
    const heading = children[start] as Heading;
    while (around.length > 0 && (around.at(-1)?.heading.depth ?? 0) >= heading.depth) around.pop();
    const title = plainText(heading);
    // a subsection of the procedure belongs to it even if it names another kind: "Record" can be a stage of the work
    const outer = around.at(-1);
    const kinds = outer?.within === "procedure" && outer.heading.depth > 1 ? [] : sectionKindsOf(title);
    const stop = starts.slice(at + 1).find((index) => (children[index] as Heading).depth <= heading.depth);
    const following = children[starts[at + 1] ?? -1];
    const section: OutlineSection = {
      heading,
      title,
      kinds,
      // "Procedure and records" counts as a procedure, because readers look for steps there.
      within: kinds.includes("procedure") ? "procedure" : (kinds[0] ?? outer?.within),
      body: children.slice(start + 1, starts[at + 1]),
      start: heading.position?.start.offset ?? 0,
      end: (stop === undefined ? tree.position?.end.offset : children[stop]?.position?.start.offset) ?? 0,
      hasParts: following?.type === "heading" && following.depth > heading.depth,
    };
    around.push(section);
    return section;
  });
  return { opening: children.slice(0, starts[0]).filter(({ type }) => type !== "yaml"), sections };
}
