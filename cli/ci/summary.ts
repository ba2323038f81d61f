/**
 * Renders the review of a pull request as Markdown, for the summary of a CI job or a comment on the pull request. Every
 * text in the review can come from strangers.
 */
import { renderHtml } from "#core/markdown/render.ts";
import { countAndNoun } from "#core/text/count-and-noun.ts";
import { printableText } from "../output.ts";
import { lineDiff } from "../workspace/diff-text.ts";
import type { PullRequestReview, ReviewedFile } from "./review.ts";

/** The maximum length of the summary. GitHub accepts a summary of 1 MiB, GitLab a comment of a million characters. */
const summaryCharactersAtMost = 900_000;
const issuesAtMost = 200;

export async function reviewSummaryMarkdown(review: PullRequestReview): Promise<string> {
  const { files, plan, base } = review;
  const parts = [`## SOPs\n\n${reviewHeadline(review)}, compared with ${inlineCode(base)}.\n`];
  const issues = files.flatMap(({ path, findings }) => findings.map((finding) => ({ path, ...finding })));
  if (issues.length > 0) {
    const rows = issues
      .slice(0, issuesAtMost)
      .map(
        ({ path, line, severity, message, rule }) =>
          `| ${escapedTableCell(path)}:${line} | ${severity} | ${escapedTableCell(message)} | ${rule} |`,
      );
    const more = issues.length > rows.length ? `\n${issues.length - rows.length} more: run \`sop lint\`.\n` : "";
    parts.push(`### Issues\n\n| Place | Severity | Issue | Rule |\n|---|---|---|---|\n${rows.join("\n")}\n${more}`);
  }
  const planned = plan === null ? "No token, so the import was not planned.\n" : fencedText("", plan.text ?? "");
  parts.push(`### When this is merged\n\n${planned}`);
  let left = summaryCharactersAtMost - parts.join("\n").length;
  let hidden = 0;
  for (const file of files) {
    const part = await documentSectionMarkdown(file);
    left -= part.length;
    if (left < 0) hidden += 1;
    else parts.push(part);
  }
  if (hidden > 0) parts.push(`${hidden} more documents are too long to show here.\n`);
  return parts.join("\n");
}

/** Returns a text such as `2 documents changed, 1 error, 0 warnings`. */
export function reviewHeadline({ files }: PullRequestReview): string {
  const findingCount = (severity: string) =>
    files.reduce((sum, { findings }) => sum + findings.filter((found) => found.severity === severity).length, 0);
  return `${countAndNoun(files.length, "document")} changed, ${countAndNoun(findingCount("error"), "error")}, ${countAndNoun(findingCount("warning"), "warning")}`;
}

async function documentSectionMarkdown({ path, compared, isNew }: ReviewedFile): Promise<string> {
  const head = `### ${escapedTableCell(path)}${isNew ? " (new)" : ""}\n\n`;
  if (compared === null) return `${head}It can't be read: see the issues.\n`;
  const changes = isNew
    ? ""
    : detailsMarkdown("Changes", fencedText("diff", await lineDiff(compared, (_, text) => text)));
  return `${head}${changes}${detailsMarkdown("Preview", previewHtml(compared.after))}`;
}

/** Renders Markdown as sanitized HTML. Removes empty lines, because they would end the HTML block in the summary. */
function previewHtml(markdown: string): string {
  const html = renderHtml(markdown).replace(/\n{2,}/g, (breaks) => `\n${"&#10;".repeat(breaks.length - 1)}`);
  return `${withoutNotifyingMentions(html).trim()}\n`;
}

function detailsMarkdown(title: string, content: string): string {
  return `<details><summary>${title}</summary>\n\n${content}\n</details>\n\n`;
}

/** Returns the text as a code block, in a fence with more backticks than any fence inside the text. */
function fencedText(language: string, text: string): string {
  const longestRun = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longestRun + 1);
  return `${fence}${language}\n${printableText(text).trimEnd()}\n${fence}\n`;
}

function inlineCode(text: string): string {
  return `\`${printableText(text).replaceAll(/[`\n]/g, " ")}\``;
}

function escapedTableCell(text: string): string {
  return withoutNotifyingMentions(
    printableText(text)
      .replaceAll("\n", " ")
      .replace(/[\\`*_[\]<>&|#]/g, "\\$&"),
  );
}

/** Breaks up @names, so that people named in a text get no notification. */
function withoutNotifyingMentions(text: string): string {
  return text.replace(/@(?=[A-Za-z0-9])/g, "@\u2060");
}
