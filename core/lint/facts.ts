/**
 * Facts about a file that the checks of other files need: small, plain JSON. The same bytes give the same facts, so
 * they can be cached.
 */
import type { Definition, Heading, Html, Image, Link, Nodes } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import GithubSlugger from "github-slugger";
import { AppError } from "#core/errors.ts";
import { readSopAddress } from "#core/markdown/sop-links.ts";
import { assertParsable } from "#core/markdown/limits.ts";
import { convertToKind } from "#core/markdown/front-matter.ts";
import { readYaml } from "#core/markdown/yaml.ts";
import { readLintedFrontMatter, type LintedFrontMatter } from "./front.ts";
import { parseFile } from "./parse-file.ts";
import { nodePosition, rangeOfNode } from "./positions.ts";
import { walkForVisitors, type Visitor } from "./walk.ts";
import type { Position } from "./finding.ts";
import { readSuppression, type Suppression } from "./suppress.ts";

export interface LinkFact {
  url: string;
  at: Position;
  /** Offsets of the address itself; absent if the text writes the address in another form. */
  range?: [start: number, end: number];
}

export interface FileFacts {
  path: string;
  /** True for a file that can't be read. Such a file has no other facts. */
  unreadable?: true;
  title?: string;
  sop?: string;
  id?: string;
  effective?: string;
  review_by?: string;
  isTemplate: boolean;
  /** Positions of front matter keys that rules across files use. */
  keys: Partial<Record<SharedKey, Position>>;
  /** The anchors of the headings, without `#`. */
  anchors: string[];
  links: LinkFact[];
  /** SOPs that the text links by `/sop/…`, with their number or id. */
  sops: { to: string; at: Position }[];
  /** Numbers of SOPs that the text mentions. */
  mentions: { sop: string; at: Position }[];
  suppressions: Suppression[];
}

type SharedKey = (typeof sharedKeys)[number];
const sharedKeys = ["sop", "id", "effective", "review_by"] as const;

/** Reads the facts of a file without checking the file. Invalid input never throws. */
export function readFileFacts(text: string, path: string): FileFacts {
  try {
    assertParsable(text);
    const { tree, yaml } = parseFile(text);
    const front = readLintedFrontMatter(text, yaml, yaml === undefined ? null : readYaml(yaml.value));
    const reader = createFactsReader(text, path, front);
    walkForVisitors(tree, [reader.visitor], text);
    return reader.facts;
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof RangeError)) throw error;
    return unreadableFileFacts(path);
  }
}

export function unreadableFileFacts(path: string): FileFacts {
  return {
    path,
    unreadable: true,
    isTemplate: false,
    keys: {},
    anchors: [],
    links: [],
    sops: [],
    mentions: [],
    suppressions: [],
  };
}

/** Creates the facts of a file from its front matter, and a visitor that adds the others while the tree is walked. */
export function createFactsReader(
  text: string,
  path: string,
  front: LintedFrontMatter,
): { facts: FileFacts; visitor: Visitor } {
  const facts: FileFacts = { ...unreadableFileFacts(path), ...frontMatterFacts(front) };
  delete facts.unreadable;
  const slugger = new GithubSlugger();
  const addLink = (node: Link | Image | Definition): void => {
    if (isCheckedLink(node.url))
      facts.links.push({ url: node.url, at: nodePosition(node), ...linkDestinationRange(text, node) });
    const address = node.url.startsWith("/sop/") ? readSopAddress(node.url) : null;
    if (address?.kind === "sop") facts.sops.push({ to: address.to, at: nodePosition(node) });
  };
  const visitor: Visitor = {
    heading: (node: Heading) => {
      const words = textOf(node, { includeImageAlt: false });
      const own = /^(.*?)\s*\{\s*#([\w-]+)[^{}]*\}$/.exec(words);
      facts.anchors.push(slugger.slug(own?.[1] ?? words));
      if (own?.[2] !== undefined) facts.anchors.push(own[2]);
    },
    link: addLink,
    image: addLink,
    definition: addLink,
    html: (node: Html) => {
      for (const [, , name = ""] of node.value.matchAll(/\s(?:id|name)=(["'])([^"'<>\s]+)\1/g))
        facts.anchors.push(name);
      const suppression = readSuppression(node, text);
      if (suppression !== undefined) facts.suppressions.push(suppression);
    },
    text: (node) => {
      // MyST writes a target as `(name)=`
      const [, target] = /^\(([\w-]+)\)=(?:\n|$)/.exec(node.value) ?? [];
      if (target !== undefined) facts.anchors.push(target);
      if (!/[A-Z0-9][.-]\d/.test(node.value)) return;
      const { line, column } = nodePosition(node);
      const source = text.slice(node.position?.start.offset, node.position?.end.offset);
      for (const match of source.matchAll(mention)) {
        const before = source.slice(0, match.index).split("\n");
        const startColumn = before.length === 1 ? column + match.index : (before.at(-1)?.length ?? 0) + 1;
        const at = { line: line + before.length - 1, column: startColumn };
        facts.mentions.push({
          sop: match[0],
          at: { ...at, endLine: at.line, endColumn: at.column + match[0].length },
        });
      }
    },
  };
  return { facts, visitor };
}

/**
 * Matches texts that can be numbers of SOPs: `SOP-0042`, `QM.01-003`. Only those that a file has are numbers.
 */
const mention = /(?<![\w/.-])[A-Z][A-Z0-9]*(?:[.-][A-Z0-9]+)*[.-]\d+(?![\w-])/g;

function frontMatterFacts({ values, positionOf }: LintedFrontMatter): Partial<FileFacts> {
  const facts: Partial<FileFacts> = { isTemplate: convertToKind("boolean", values?.["template"]) === true, keys: {} };
  if (typeof values?.["title"] === "string") facts.title = values["title"];
  for (const key of sharedKeys) {
    const value = values?.[key];
    if (typeof value !== "string" || value === "") continue;
    facts[key] = value;
    facts.keys = { ...facts.keys, [key]: positionOf(key) };
  }
  return facts;
}

/** Tells whether a link is checked, which excludes other sites, addresses of the server, and template tags. */
function isCheckedLink(url: string): boolean {
  return url !== "" && !/^(?:[a-z][\w+.-]*:|\/|\\)|\{[{%]|[{%]\}/i.test(url);
}

function linkDestinationRange(text: string, node: Nodes & { url: string }): { range?: [number, number] } {
  const { start, end } = rangeOfNode(node);
  const at = text.slice(start, end).lastIndexOf(node.url);
  return at === -1 ? {} : { range: [start + at, start + at + node.url.length] };
}
