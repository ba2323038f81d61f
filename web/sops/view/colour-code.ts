/**
 * Colors code by its language with the browser's highlight API, so that the text stays unchanged and needs no inline
 * styles.
 */
import hljs from "highlight.js/lib/core";
import type { LanguageFn } from "highlight.js";
import bash from "highlight.js/lib/languages/bash";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import dos from "highlight.js/lib/languages/dos";
import ini from "highlight.js/lib/languages/ini";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import powershell from "highlight.js/lib/languages/powershell";
import python from "highlight.js/lib/languages/python";
import shell from "highlight.js/lib/languages/shell";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

/** The language of diagram sources (decision 0050). */
const mermaidLanguage: LanguageFn = () => ({
  name: "Mermaid",
  keywords: {
    $pattern: "[A-Za-z][\\w-]*",
    keyword:
      "graph flowchart sequenceDiagram classDiagram stateDiagram stateDiagram-v2 erDiagram gantt pie journey mindmap timeline subgraph end participant actor activate deactivate Note loop alt else opt par state class title section direction",
    literal: "TB TD BT RL LR",
  },
  contains: [
    { scope: "comment", begin: /%%/, end: /$/ },
    { scope: "string", begin: /"/, end: /"|$/ },
    { scope: "string", begin: /(?<=[\w)\]}])[[({]+/, end: /[\])}]+|$/ },
    { scope: "string", begin: /\|/, end: /\||$/ },
    { scope: "number", begin: /<?[ox]?[-=.~]{2,}(?:>>|[>ox)])?/ },
  ],
});

const languages: Readonly<Record<string, LanguageFn>> = {
  bash,
  diff,
  dockerfile,
  dos,
  ini,
  javascript,
  json,
  mermaid: mermaidLanguage,
  powershell,
  python,
  shell,
  sql,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/** The maximum length of code to color. Longer code would take too long. */
const mostCharacters = 100_000;

/** The color of each kind of token (`web/reading.css`), by the highlighter's names for them. */
const colours: Readonly<Record<string, string>> = {
  keyword: "keyword",
  built_in: "keyword",
  literal: "keyword",
  "selector-tag": "keyword",
  name: "keyword",
  section: "keyword",
  deletion: "deletion",
  addition: "string",
  string: "string",
  regexp: "string",
  number: "number",
  variable: "number",
  "template-variable": "number",
  symbol: "number",
  attr: "name",
  attribute: "name",
  property: "name",
  title: "name",
  type: "name",
  comment: "comment",
  meta: "comment",
  quote: "comment",
};

export interface ColoredRange {
  start: number;
  end: number;
  colour: string;
}

/** @returns the colored ranges of the code; none for an unknown language */
export function coloredRangesOf(code: string, language: string): ColoredRange[] {
  if (code.length > mostCharacters || hljs.getLanguage(language) === undefined) return [];
  const { body } = new DOMParser().parseFromString(
    hljs.highlight(code, { language, ignoreIllegals: true }).value,
    "text/html",
  );
  const pieces: ColoredRange[] = [];
  let at = 0;
  const walkChildren = (parent: Node, colour: string | undefined): void => {
    for (const node of parent.childNodes) {
      if (node instanceof Text) {
        if (colour !== undefined) pieces.push({ start: at, end: at + node.length, colour });
        at += node.length;
      } else if (node instanceof Element) walkChildren(node, codeColorOf(node) ?? colour);
    }
  };
  walkChildren(body, undefined);
  return at === code.length ? pieces : [];
}

/** Returns the color for a class such as `hljs-title function_`. */
function codeColorOf({ classList }: Element): string | undefined {
  return colours[classList.item(0)?.replace(/^hljs-/, "") ?? ""];
}

/** @returns a function that removes the colors */
export function colorCode(text: HTMLElement): () => void {
  if (typeof CSS === "undefined" || !("highlights" in CSS)) return () => undefined;
  const ranges: [Highlight, StaticRange][] = [];
  for (const code of text.querySelectorAll("pre > code")) {
    const language = /(?:^| )language-(\S+)/.exec(code.className)?.[1]?.toLowerCase();
    const node = code.firstChild;
    // Code from raw HTML can contain elements, which aren't colored.
    if (language === undefined || !(node instanceof Text) || node.nextSibling) continue;
    for (const { start, end, colour } of coloredRangesOf(node.data, language)) {
      const highlight = sharedHighlightOf(`code-${colour}`);
      const range = new StaticRange({ startContainer: node, startOffset: start, endContainer: node, endOffset: end });
      highlight.add(range);
      ranges.push([highlight, range]);
    }
  }
  return () => ranges.forEach(([highlight, range]) => highlight.delete(range));
}

/** Returns the highlight with this name, shared by all texts on the page. */
function sharedHighlightOf(name: string): Highlight {
  const known = CSS.highlights.get(name);
  if (known) return known;
  const made = new Highlight();
  // The highlight of a comment is drawn over a highlight of code.
  made.priority = -1;
  CSS.highlights.set(name, made);
  return made;
}
