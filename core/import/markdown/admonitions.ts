import { alertKinds } from "./alert-kinds.ts";
import type { Report } from "./report.ts";
import { fencedLines, indentOf, isBlank, type SourceLine } from "./source-lines.ts";

const opening = /^([ \t]*)(!!!|\?\?\?\+?)[ \t]*([A-Za-z][\w-]*(?:[ \t]+[\w-]+)*)?[ \t]*(?:"([^"]*)")?[ \t]*$/;

/**
 * MkDocs admonitions (`!!! note "Title"` over an indented body) as GitHub alerts, collapsible ones (`???`) as details.
 * Their body keeps its structure; every one is named in the report.
 */
export function mapAdmonitions(lines: readonly SourceLine[], report: Report): SourceLine[] {
  const fenced = fencedLines(lines);
  const out: SourceLine[] = [];
  for (let index = 0; index < lines.length;) {
    const line = lines[index];
    const found = line === undefined || fenced[index] ? null : opening.exec(line.text);
    if (line === undefined || found === null || (found[3] === undefined && found[4] === undefined)) {
      if (line !== undefined) out.push(line);
      index += 1;
      continue;
    }
    const [, indent = "", mark = "", words = "note", title] = found;
    const end = bodyEnd(lines, index + 1, indentOf(indent));
    const body = mapAdmonitions(dedent(lines.slice(index + 1, end)), report);
    out.push(...write({ indent, mark, words, title, body, origin: line.origin }));
    report.add(
      "admonition",
      `${mark} ${words} became ${mark === "!!!" ? `an alert (${kindOf(words)})` : "a details block"}`,
      line.origin,
    );
    index = end;
    const next = lines[index];
    if (next !== undefined && !isBlank(next.text)) out.push({ text: "", origin: next.origin });
  }
  return out;
}

interface Admonition {
  indent: string;
  mark: string;
  words: string;
  title: string | undefined;
  body: SourceLine[];
  origin: number;
}

function kindOf(words: string): string {
  return alertKinds[words.split(/[ \t]/)[0]?.toLowerCase() ?? ""] ?? "NOTE";
}

/** Indented by four columns or blank. Blank lines at the end belong to the next block. */
function bodyEnd(lines: readonly SourceLine[], start: number, indent: number): number {
  let end = start;
  for (let index = start; index < lines.length; index += 1) {
    const text = lines[index]?.text ?? "";
    if (isBlank(text)) continue;
    if (indentOf(text) < indent + 4) break;
    end = index + 1;
  }
  return end;
}

function dedent(lines: readonly SourceLine[]): SourceLine[] {
  const widths = lines.filter((line) => !isBlank(line.text)).map((line) => indentOf(line.text));
  const width = widths.length === 0 ? 0 : Math.min(...widths);
  return lines.map((line) => ({ ...line, text: isBlank(line.text) ? "" : cut(line.text, width) }));
}

function cut(text: string, width: number): string {
  const spaces = text.replace(/^[ \t]*/, (indent) => " ".repeat(indentOf(indent)));
  return spaces.slice(width);
}

function write(box: Admonition): SourceLine[] {
  const texts = box.mark === "!!!" ? alertLines(box) : detailsLines(box);
  return texts.map(({ text, origin }) => ({ text: text === "" ? "" : box.indent + text, origin }));
}

function alertLines({ words, title, body, origin }: Admonition): SourceLine[] {
  const head: SourceLine[] = [{ text: `> [!${kindOf(words)}]`, origin }];
  if (title !== undefined && title !== "") {
    head.push({ text: `> **${title.trim()}**`, origin });
    if (body.length > 0) head.push({ text: ">", origin });
  }
  return [...head, ...body.map(({ text, origin: at }) => ({ text: text === "" ? ">" : `> ${text}`, origin: at }))];
}

function detailsLines({ mark, words, title, body, origin }: Admonition): SourceLine[] {
  const summary = escapeHtml(title ?? words).trim();
  const last = body.at(-1)?.origin ?? origin;
  return [
    { text: `<details${mark === "???+" ? " open" : ""}>`, origin },
    { text: `<summary>${summary}</summary>`, origin },
    { text: "", origin },
    ...body,
    { text: "", origin: last },
    { text: "</details>", origin: last },
  ];
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
