/** Finds markup of other tools within lines: its kind, its position, and its Markdown. */
import { texts, withOmitted } from "./texts.ts";
import type { MessageWithId } from "#core/language/catalog.ts";
import { schema } from "#core/markdown/sanitise-schema.ts";
import { shownElements } from "#core/markdown/shown-elements.ts";
import { anchorAddress, type Anchors } from "./anchors.ts";
import type { Construct, ForeignDialect, ConstructOutcome } from "./construct.ts";
import { parseAttributes } from "./directives.ts";
import { altWithWidth } from "./figures.ts";
import { codeLineFlags, linesAsText, type SourceLine } from "../text/lines.ts";

export interface InlineConstruct {
  dialect: ForeignDialect;
  code: Construct["code"];
  name: string;
  outcome: ConstructOutcome;
  what: MessageWithId;
  source: string;
  start: number;
  end: number;
  /** The Markdown for a mapped construct; absent for other outcomes. */
  replacement?: string;
}

interface InlinePattern {
  dialect: ForeignDialect;
  code: Construct["code"];
  pattern: RegExp;
  /** True for the start of a block without an end, which no block reader recognizes. */
  isBroken?: boolean;
  map?: (match: RegExpMatchArray) => string | MappedInline;
}

interface MappedInline {
  name: string;
  what: MessageWithId;
  replacement: string;
}

/**
 * Matches any text up to the end of the paragraph. Each repetition is limited, so that a hostile text can't take
 * quadratic time.
 */
const anyTextInParagraph = "(?:(?!\\n[ \\t>]*\\n)[^]){0,1000}?";
const keysAsHtml = (text: string) =>
  text
    .split("+")
    .map((key) => `<kbd>${key.replaceAll('"', "")}</kbd>`)
    .join("+");

/** Converts `![Valve](valve.png){ width="300" }`: Markdown keeps the width and drops the other attributes. */
function imageWithAttributeList([, alt = "", target = "", title = "", list = ""]: RegExpMatchArray): MappedInline {
  const { alt: words, without } = altWithWidth(alt.replace(/\\([[\]\\])/g, "$1"), parseAttributes(list));
  const replacement = `![${words.replace(/([[\]\\])/g, "\\$1")}](${target}${title})`;
  const isSized = words.includes("|") && !alt.includes("|");
  return { name: list, what: withOmitted(isSized ? texts.width() : texts.leftOut(), without), replacement };
}

const patterns: readonly InlinePattern[] = [
  { dialect: "html", code: "raw-html", pattern: /<!--[^]{0,4000}?-->/g },
  {
    dialect: "hugo",
    code: "template-tag",
    pattern: new RegExp(`\\{\\{<${anyTextInParagraph}>\\}\\}|\\{\\{%${anyTextInParagraph}%\\}\\}`, "g"),
  },
  { dialect: "template", code: "template-tag", pattern: /\{\{\{[^\n]{0,500}?\}\}\}/g },
  { dialect: "template", code: "template-tag", pattern: new RegExp(`\\{\\{${anyTextInParagraph}\\}\\}`, "g") },
  {
    dialect: "liquid",
    code: "template-tag",
    pattern: new RegExp(`\\{%${anyTextInParagraph}%\\}|\\{#${anyTextInParagraph}#\\}`, "g"),
  },
  { dialect: "template", code: "template-tag", pattern: new RegExp(`<%${anyTextInParagraph}%>`, "g") },
  { dialect: "mkdocs", code: "markup", pattern: /\{(\+\+|--|==|>>|~~)[^\n]{0,500}?(\+\+|--|==|<<|~~)\}/g },
  {
    dialect: "container",
    code: "directive",
    pattern: /^[ \t]*::[A-Za-z][\w-]*(?:\[[^\]\n]*\])?(?:\{[^}\n]*\})?[ \t]*$/gm,
  },
  {
    dialect: "container",
    code: "directive",
    pattern: /(?<![\w:/])(?:::?)[A-Za-z][\w-]*(?:\[[^\]\n]{0,300}\](?:\{[^}\n]{0,300}\})?|\{[^}\n]{0,300}\})/g,
  },
  {
    dialect: "mkdocs",
    code: "attribute-list",
    pattern:
      /!\[((?:[^\]\\\n\uE000]|\\.){0,1000})\]\((<[^<>\n\uE000]{0,1000}>|[^\s()<>\uE000]{1,1000})((?:[ \t]+"(?:[^"\\\n\uE000]|\\.){0,1000}")?)\)(\{:?[ \t]*(?:[#.][A-Za-z][\w:-]*|[\w-]+=(?:"[^"\n]*"|'[^'\n]*'|[\w.%/-]+))(?:[ \t][^{}\n]*)?\})/g,
    map: imageWithAttributeList,
  },
  {
    dialect: "mkdocs",
    code: "attribute-list",
    pattern:
      /\{:[^{}\n]*\}|\{[ \t]*(?:[#.][A-Za-z][\w:-]*|[\w-]+=(?:"[^"\n]*"|'[^'\n]*'|[\w.%/-]+))(?:[ \t][^{}\n]*)?\}/g,
  },
  {
    dialect: "mkdocs",
    code: "markup",
    pattern: /(?<![\w+])\+\+((?:[A-Za-z0-9][\w-]*|"[^"\n]+")(?:\+(?:[\w-]+|"[^"\n]+"))*)\+\+(?![\w+])/g,
    map: ([, keys = ""]) => keysAsHtml(keys),
  },
  { dialect: "mkdocs", code: "markup", pattern: /(?<![=\w])==(?=[^\s=])[^=\n]+?(?<=\S)==(?![=\w])/g },
  { dialect: "mkdocs", code: "markup", pattern: /\^\^(?=\S)[^^\n]+?(?<=\S)\^\^/g },
  { dialect: "mkdocs", code: "markup", pattern: /:(?:material|fontawesome|octicons|simple)-[\w-]+:/g },
  {
    dialect: "mkdocs",
    code: "markup",
    pattern: /(?<=[A-Za-z0-9)])~([A-Za-z0-9+.-]{1,10})~(?!~)/g,
    map: ([, text = ""]) => `<sub>${text}</sub>`,
  },
  {
    dialect: "mkdocs",
    code: "markup",
    pattern: /(?<=[A-Za-z0-9)])\^([A-Za-z0-9+.-]{1,10})\^(?!\^)/g,
    map: ([, text = ""]) => `<sup>${text}</sup>`,
  },
  {
    dialect: "mkdocs",
    code: "markup",
    pattern: /(?<![\w$\\])\$(?=\S)(?=[^$\n]{0,200}?[\\^_{])[^$\n]{1,300}(?<=\S)\$(?![\w$])/g,
  },
  {
    dialect: "mkdocs",
    code: "markup",
    // a formula; Markdown itself uses brackets with backslashes for other text
    pattern:
      /\\\((?:[A-Za-z]|(?=(?:(?!\\\))[^\n]){0,300}?(?:\\[A-Za-z]|(?<!\\)[\^_={}]))(?:(?!\\\))[^\n]){1,300})\\\)/g,
  },
  { dialect: "mkdocs", code: "markup", pattern: /^[ \t]*\[(?:TOC|\[_?TOC_?\]|_TOC_)\][ \t]*$/gim },
  // boxes of Docsify
  { dialect: "container", code: "admonition", pattern: /^[!?]>(?=[ \t])/gm },
  // footnotes within a line of Pandoc and Obsidian, names of blocks, and checkboxes with other characters than x
  { dialect: "obsidian", code: "markup", pattern: /(?<![\^\\])\^\[[^\][\n]{1,500}\]/g },
  { dialect: "obsidian", code: "markup", pattern: /(?<=\S)[ \t]\^(?=[\da-z-]{0,40}[a-z])[\da-z-]{3,41}[ \t]*$/gim },
  {
    dialect: "obsidian",
    code: "markup",
    pattern: /\[[-/<>!?*]\](?<=^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[.\])(?=[ \t])/gm,
  },
  { dialect: "obsidian", code: "comment", pattern: new RegExp(`%%${anyTextInParagraph}%%`, "g") },
  { dialect: "container", code: "directive", pattern: /^[ \t>]*:{3,}.*$/gm, isBroken: true },
  {
    dialect: "mkdocs",
    code: "admonition",
    pattern: /^[ \t>]*(?:[-*+][ \t]+)?(?:!!!|\?\?\?\+?)[ \t]*["\w].*$/gm,
    isBroken: true,
  },
  { dialect: "mkdocs", code: "tabs", pattern: /^[ \t>]*(?:[-*+][ \t]+)?===[!+]?[ \t]+".*$/gm, isBroken: true },
  { dialect: "mkdocs", code: "snippet", pattern: /^[ \t>]*-+8<-+.*$/gm, isBroken: true },
  {
    dialect: "mkdocs",
    code: "directive",
    pattern: /^[ \t>]*\/{3,}[ \t]*[a-z][\w-]*[ \t]*(?:\|.*)?$/gm,
    isBroken: true,
  },
];

const tags =
  /<\/?([A-Z]\w*(?:\.\w+)+|[A-Za-z][A-Za-z0-9-]*)(?![\w.:])((?:\s(?:"[^"]{0,1000}"|'[^']{0,1000}'|\{[^{}]{0,1000}\}|[^>"'{]){0,1000}?)?)\/?>/g;
/**
 * Matches a MyST role or inline code. Of the two, the one that begins first is matched, so that `{HASH}` inside code
 * isn't a role.
 */
const roleOrCode =
  /\{([A-Za-z][\w:+.-]*)\}(`+)((?:(?!\n[ \t]*\n)[^]){0,1000}?[^`])\2(?!`)|(?<!`)(`+)(?!`)(?:(?!\n[ \t>]*\n)[^]){0,4000}?[^`]\4(?!`)/g;
const mystLink = /(?<!!)\[([^\]\n]{0,300})\]\(#?([^()\s#]{1,300})\)/g;

export interface InlineOptions {
  anchors: Anchors;
  isMyst: boolean;
  isMdx: boolean;
}

/** Finds all markup of other tools within lines, outside of code, in the order of the text. */
export function findInlineMarkup(
  lines: readonly SourceLine[],
  { anchors, isMyst, isMdx }: InlineOptions,
): InlineConstruct[] {
  const code = codeLineFlags(lines);
  const found: InlineConstruct[] = [];
  let rest = lines.map(({ text, isOurs }, index) => (code[index] || isOurs ? hiddenCharacters(text) : text)).join("\n");
  const whole = linesAsText(lines);
  const addMatch = (
    match: RegExpMatchArray,
    about: Pick<InlineConstruct, "dialect" | "code"> & Partial<InlineConstruct>,
  ) => {
    const lead = /^[ \t>]*/.exec(match[0])?.[0].length ?? 0;
    const start = (match.index ?? 0) + (match[0].startsWith(">") || /^[ \t]/.test(match[0]) ? lead : 0);
    const end = (match.index ?? 0) + match[0].length;
    if (whole.charAt(start - 1) === "\\") return;
    const source = whole.slice(start, end);
    const name =
      source.length > 40 || source.includes("\n") ? `${(source.split("\n")[0] ?? "").slice(0, 40)}…` : source;
    found.push({ name, outcome: "kept", what: texts.kept(), source, start, end, ...about });
    taken.push([start, end]);
  };
  const taken: [number, number][] = [];
  const hideFoundMarkup = () => {
    let out = "";
    let done = 0;
    for (const [start, end] of taken.splice(0)) {
      out += rest.slice(done, start) + hiddenCharacters(rest.slice(start, end));
      done = end;
    }
    rest = out + rest.slice(done);
  };
  for (const match of rest.matchAll(roleOrCode)) {
    if (match[1] === undefined) taken.push([match.index, match.index + match[0].length]);
    else addMatch(match, mystRoleOf(match, anchors));
  }
  hideFoundMarkup();
  for (const { dialect, code: own, pattern, map, isBroken } of patterns) {
    if (own === "comment" && !rest.includes("%%")) continue;
    for (const match of rest.matchAll(pattern)) {
      const mapped = map?.(match);
      const about = { dialect, code: own };
      if (typeof mapped === "string")
        addMatch(match, { ...about, outcome: "mapped", what: texts.html(), replacement: mapped });
      else if (mapped !== undefined) addMatch(match, { ...about, outcome: "mapped", ...mapped });
      else if (isBroken) addMatch(match, { ...about, outcome: "reported", what: texts.broken() });
      else addMatch(match, about);
    }
    hideFoundMarkup();
  }
  // an address in angle brackets is no tag: `[x](<README.md>)`
  for (const match of rest.matchAll(/(?<=\]\([ \t]*|\]:[ \t]*)<[^<>\n]{0,1000}>/g)) {
    taken.push([match.index, match.index + match[0].length]);
  }
  hideFoundMarkup();
  for (const match of rest.matchAll(tags)) addHtmlTag(match, addMatch);
  hideFoundMarkup();
  if (isMdx)
    for (const match of rest.matchAll(/\{[^{}\n\uE000]+\}/g)) addMatch(match, { dialect: "mdx", code: "component" });
  if (isMyst) {
    for (const match of rest.matchAll(mystLink)) {
      const anchor = anchors.get(match[2] ?? "");
      if (anchor === undefined) continue;
      const words = match[1] === "" ? anchor.title : (match[1] ?? "");
      const address = anchorAddress(anchor);
      const replacement = `[${words}](${address})`;
      addMatch(match, {
        dialect: "myst",
        code: "role",
        outcome: "mapped",
        what: texts.leadsTo({ address }),
        replacement,
      });
    }
  }
  return found.toSorted((a, b) => a.start - b.start);
}

function hiddenCharacters(text: string): string {
  return text.replace(/[^\n]/g, "\uE000");
}

/** HTML elements that only occur inside others. The report names only the outer element. */
const innerNames = new Set("dt dd option optgroup legend rt rp source track param area".split(" "));

function addHtmlTag(
  match: RegExpMatchArray,
  take: (match: RegExpMatchArray, about: Pick<InlineConstruct, "dialect" | "code"> & Partial<InlineConstruct>) => void,
): void {
  const tag = match[1] ?? "";
  // skip `<strong>` and `<em>`, which are allowed forms of bold and italics
  if (match[0].startsWith("</") || innerNames.has(tag.toLowerCase()) || /^<(?:strong|em)>$/.test(match[0])) return;
  const isComponent = /^[A-Z]/.test(tag) || tag.includes(".");
  const image = tag === "img" ? imageWithoutExpressions(match[0]) : undefined;
  if (image !== undefined) {
    const about = { dialect: "mdx", code: "image", name: "<img>", outcome: "mapped" } as const;
    take(match, { ...about, what: texts.htmlImage(), replacement: image });
    return;
  }
  const name = tag.toLowerCase();
  const isShown = shownElements.has(name) || name === "s" || name === "strike";
  const lost = schema.strip?.includes(name) === true ? texts.hidden() : texts.tagless();
  take(match, {
    dialect: isComponent ? "mdx" : "html",
    code: isComponent ? "component" : "raw-html",
    name: `<${tag}>`,
    what: isShown ? texts.kept() : lost,
  });
}

/**
 * Returns an MDX image with the paths in place of program expressions; undefined for an image without an expression, or
 * with an unknown one.
 */
function imageWithoutExpressions(source: string): string | undefined {
  if (!source.includes("={")) return undefined;
  const plain = source
    .replace(/=\{(?:require|useBaseUrl)\((["'])([^"'\n]+)\1\)(?:\.default)?\}/g, '="$2"')
    .replace(/=\{(?:(\d+)|(["'`])([^"'`{}\n]*)\2)\}/g, '="$1$3"')
    .replace('="@site/', '="/');
  return plain.includes("={") ? undefined : plain;
}

function mystRoleOf(
  [source, name = "", , content = ""]: RegExpMatchArray,
  anchors: Anchors,
): Pick<InlineConstruct, "dialect" | "code"> & Partial<InlineConstruct> {
  const base = { dialect: "myst", code: "role", name: source.length > 60 ? `{${name}}` : source } as const;
  const [, words, target] = /^([^]*?)[ \t\n]*<([^<>]+)>$/.exec(content) ?? [];
  const to = target ?? content;
  const mapRole = (replacement: string, what: MessageWithId) => ({
    ...base,
    outcome: "mapped" as const,
    what,
    replacement,
  });
  if (/^(?:ref|numref|std:ref)$/.test(name)) {
    const anchor = anchors.get(to);
    if (anchor === undefined) return base;
    const address = anchorAddress(anchor);
    return mapRole(`[${words ?? anchor.title}](${address})`, texts.linkTo({ address }));
  }
  if (name === "doc" || name === "download") {
    if (/[\s<>()]/.test(to)) return base;
    const path = name === "doc" && !/\.[a-z]+$/i.test(to) ? `${to}.md` : to;
    return mapRole(`[${words ?? to}](${path})`, texts.link());
  }
  if (name === "kbd") return mapRole(`<kbd>${content}</kbd>`, texts.html());
  if (/^sub(?:script)?$/.test(name)) return mapRole(`<sub>${content}</sub>`, texts.html());
  if (/^sup(?:erscript)?$/.test(name)) return mapRole(`<sup>${content}</sup>`, texts.html());
  return base;
}
