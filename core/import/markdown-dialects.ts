import { alertKinds } from "#core/import/markdown/alert-kinds.ts";
import type { Report } from "#core/import/markdown/report.ts";
import { counted } from "#core/import/markdown/report.ts";
import { bodyStart } from "./rewrite-links.ts";

/** Maps markup of Notion and Obsidian that isn't Markdown; fenced code stays as it is. */
export function mapMarkdownDialects(text: string, report: Report): string {
  if (!/<aside>|^>[ \t]*\[![a-z]|%%/im.test(text)) return text;
  const start = bodyStart(text);
  let callouts = 0;
  let fence: string | undefined;
  const lines = text.slice(start).split("\n");
  const out: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const mark = /^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined;
    const end = fence === undefined && /^<aside>\s*$/.test(line) ? lines.indexOf("</aside>", index) : -1;
    if (end !== -1) {
      callouts += 1;
      out.push(...alert("NOTE", "", lines.slice(index + 1, end)));
      index = end;
      continue;
    }
    const callout = fence === undefined ? /^(>[ \t]*)\[!([A-Za-z-]+)\][-+]?[ \t]*(.*)$/.exec(line) : null;
    if (callout === null || (isKnown(callout[2] ?? "") && callout[3] === "")) out.push(line);
    else {
      const [, quote = "> ", kind = "", title = ""] = callout;
      callouts += 1;
      out.push(`> [!${alertKind(kind)}]`);
      if (title.trim() !== "")
        out.push(`> **${title.trim()}**`, ...(lines[index + 1]?.startsWith(quote.trim()) ? [">"] : []));
    }
  }
  if (callouts > 0) report.add("admonition", `${counted(callouts, "callout")} became alerts`);
  return text.slice(0, start) + out.join("\n");
}

const known = new Set(["NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"]);

function isKnown(kind: string): boolean {
  return known.has(kind);
}

/** Obsidian has one more. */
const kinds: Readonly<Record<string, string>> = { ...alertKinds, done: "TIP" };

function alertKind(kind: string): string {
  return kinds[kind.toLowerCase()] ?? "NOTE";
}

function alert(kind: string, title: string, body: readonly string[]): string[] {
  const head = title === "" ? [] : [`> **${title}**`, ">"];
  const text = body.join("\n").trim();
  return [`> [!${kind}]`, ...head, ...text.split("\n").map((line) => (line === "" ? ">" : `> ${line}`)), ""];
}
