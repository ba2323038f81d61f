/**
 * Declares what safe fixes change in a syntax tree. Each declaration reduces the trees before and after its fix to the
 * same form, so that a comparison shows any other change.
 */
import type { Heading, PhrasingContent, Root, RootContent } from "mdast";
import { sentences, type MessageWithId } from "#core/language/catalog.ts";
import { eachNode } from "#core/markdown/each-node.ts";
import { readYaml } from "#core/markdown/yaml.ts";

export interface DeclaredChange {
  /** The end of the sentence "A safe fix …" that describes the change. */
  says: MessageWithId;
  /** Reduces the tree in place. Throws AppError for broken front matter. */
  reduce(tree: Root): void;
}

const says = sentences("core.lint.declared", {
  movesTitle: "removes a leading heading that has the title, and sets `title` where the front matter has none",
  closesGaps: "raises headings that skip a level; each stays below the same heading",
  writesDates: "writes `effective` and `review_by` as ISO dates",
  bindsUnits: "puts a no-break space between a number and its unit",
  writesSignalWords: "writes the signal word of a warning in capitals",
  replacesWords: "replaces words by the company's own",
  dropsSuppressions: "removes a comment that silences nothing",
});

/** Returns the heading that can be the title: the first block of the body, apart from comments, without markup. */
export function plainTitleHeading(tree: Root): { heading: Heading; title: string } | undefined {
  const first = tree.children.find((node) => node.type !== "yaml" && !isComment(node));
  if (first?.type !== "heading" || first.depth !== 1) return undefined;
  const title = textWithoutMarkup(first.children);
  return title === undefined || title === "" ? undefined : { heading: first, title };
}

function isComment(node: RootContent): boolean {
  return node.type === "html" && /^<!--(?:(?!-->)[^])*-->$/.test(node.value);
}

/** Returns the plain text; undefined if the text has markup, because a title has none. */
function textWithoutMarkup(children: readonly PhrasingContent[]): string | undefined {
  const words = children.map((child) => (child.type === "text" ? child.value : undefined));
  return words.includes(undefined) ? undefined : words.join("").replace(/\s+/g, " ").trim();
}

/** Returns the value of "title" in the front matter; empty if there is no title. */
function frontMatterTitleIn(yaml: string): string {
  const title = readYaml(yaml)["title"];
  return title === undefined || title === null ? "" : String(title);
}

function withoutKeys(yaml: string, keys: string): string {
  return yaml.replace(new RegExp(`^(?:(["'])(?:${keys})\\1|(?:${keys}))[ \\t]*:[^\\n]*(?:\\n|$)`, "gm"), "").trimEnd();
}

export const movesTitle: DeclaredChange = {
  says: says.movesTitle(),
  reduce(tree) {
    const [first] = tree.children;
    const yaml = first?.type === "yaml" ? first.value : "";
    const leading = plainTitleHeading(tree);
    const set = frontMatterTitleIn(yaml);
    const isTitle = leading !== undefined && (set.trim() === "" || set.trim() === leading.title);
    const title = isTitle ? leading.title : set;
    const rest = tree.children.filter((node) => node.type !== "yaml" && !(isTitle && node === leading.heading));
    tree.children = [{ type: "yaml", value: `title: ${title}\n${withoutKeys(yaml, "title")}` }, ...rest];
  },
};

export const closesGaps: DeclaredChange = {
  says: says.closesGaps(),
  reduce(tree) {
    const around: number[] = [];
    eachNode(tree, (node) => {
      if (node.type !== "heading") return;
      while (around.length > 0 && (around.at(-1) ?? 0) >= node.depth) around.pop();
      around.push(node.depth);
      node.depth = Math.min(6, around.length) as Heading["depth"];
    });
  },
};

export const writesDates: DeclaredChange = {
  says: says.writesDates(),
  reduce(tree) {
    const [first] = tree.children;
    if (first?.type === "yaml") first.value = withoutKeys(first.value, "effective|review_by");
  },
};

export const bindsUnits: DeclaredChange = {
  says: says.bindsUnits(),
  reduce: (tree) =>
    changeTexts(tree, (text) =>
      text
        .replaceAll("\u00a0", " ")
        .replace(/(?<=[\d.,]) (?=[a-zµμ°])/gi, "")
        .replace(/^ (?=[a-zµμ°])/i, ""),
    ),
};

export const writesSignalWords: DeclaredChange = {
  says: says.writesSignalWords(),
  reduce: (tree) =>
    eachNode(tree, (node) => {
      const [first] = node.type === "blockquote" ? node.children : [];
      const [text] = first?.type === "paragraph" ? first.children : [];
      if (text?.type === "text") text.value = text.value.replace(/^\[![a-z]+\]/i, (mark) => mark.toUpperCase());
    }),
};

export const replacesWords: DeclaredChange = {
  says: says.replacesWords(),
  // the company's settings decide which words are replaced, so all words are left out of the comparison
  reduce: (tree) => changeTexts(tree, () => ""),
};

export const dropsSuppressions: DeclaredChange = {
  says: says.dropsSuppressions(),
  reduce(tree) {
    eachNode(tree, (node) => {
      if (!("children" in node)) return;
      const kept = (node.children as RootContent[]).filter(
        (child) => child.type !== "html" || !/^<!--[ \t]*sop-disable-next-line[^]*-->$/.test(child.value),
      );
      (node.children as RootContent[]) = kept;
    });
  },
};

function changeTexts(tree: Root, change: (text: string) => string): void {
  eachNode(tree, (node) => {
    if (node.type === "text") node.value = change(node.value);
  });
}
