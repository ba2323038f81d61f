/**
 * A text in the pieces that search answers with: steps, other list items, table rows, paragraphs, each under its heading.
 * Reads lines of canonical Markdown, not its tree: an index is made of thousands of texts.
 */
import GithubSlugger from "github-slugger";
import { idPrefix } from "#core/markdown/sanitise-schema.ts";
import { plainInline } from "./plain-inline.ts";

export interface Chunk {
  /** Id of the heading above, as `renderHtml` writes it; null before the first. */
  anchor: string | null;
  /** That heading's text. */
  heading: string | null;
  /** The number of a step, as shown: "3"; null elsewhere. */
  step: string | null;
  /** Without marks, one line. The text of a heading's own chunk is empty. */
  text: string;
}

const headingLine = /^(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/;
const itemLine = /^(?:(\d{1,9})[.)]|[-*+])(?:[ \t]+(.*))?$/;
const fenceLine = /^ {0,3}(`{3,}|~{3,})/;
const tableRule = /^[|:\- \t]+$/;

/** Headings come as chunks without text; the text below a list item belongs to it. */
export function chunksOf(markdown: string): Chunk[] {
  const reader = createReader();
  let fence: string | null = null;
  for (const line of markdown.split("\n")) {
    const mark = fenceLine.exec(line.trimStart())?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) === true) fence = null;
      else reader.add(line, true);
    } else if (mark !== undefined) {
      fence = mark;
    } else {
      reader.line(line);
    }
  }
  return reader.end();
}

function createReader() {
  const slugger = new GithubSlugger();
  const chunks: Chunk[] = [];
  let heading: Pick<Chunk, "anchor" | "heading"> = { anchor: null, heading: null };
  let open: { step: string | null; isItem: boolean; parts: string[] } | null = null;
  let nextStep: number | null = null;

  const close = () => {
    const text = open?.parts.join(" ").replace(/\s+/g, " ").trim() ?? "";
    if (open && text !== "") chunks.push({ ...heading, step: open.step, text });
    open = null;
  };
  const start = (step: string | null, isItem: boolean, text: string) => {
    close();
    open = { step, isItem, parts: [text] };
  };
  const add = (line: string, isCode = false) => {
    const text = isCode ? line : plainInline(line);
    if (open) open.parts.push(text);
    else start(null, false, text);
  };

  function line(raw: string): void {
    const text = raw.trimEnd();
    if (text === "") {
      if (open && !open.isItem) close();
      return;
    }
    const title = headingLine.exec(text);
    if (title) {
      close();
      nextStep = null;
      const words = plainInline(title[2] ?? "");
      heading = { anchor: idPrefix + slugger.slug(words), heading: words };
      chunks.push({ ...heading, step: null, text: "" });
      return;
    }
    const isIndented = /^(?:\t| {2})/.test(text);
    const item = isIndented && open?.isItem === true ? null : itemLine.exec(text.trimStart());
    if (item) {
      nextStep = item[1] === undefined ? null : (nextStep ?? Number(item[1]));
      start(nextStep === null ? null : String(nextStep), true, plainInline(item[2] ?? ""));
      if (nextStep !== null) nextStep++;
      return;
    }
    if (!isIndented) {
      if (open?.isItem === true) close();
      nextStep = null;
    }
    if (text.startsWith("|")) {
      if (!tableRule.test(text)) start(null, false, plainInline(text.replace(/(?<!\\)\|/g, " ")));
      close();
      return;
    }
    add(
      text
        .replace(/^[ \t]*(?:>[ \t]?)+/, "")
        .replace(/^\s*(?:[-*+]|\d+[.)])[ \t]+/, "")
        .replace(/^\[![A-Z]+\]$/, ""),
    );
  }

  return {
    line,
    add,
    end() {
      close();
      return chunks;
    },
  };
}
