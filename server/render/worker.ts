// Runs in a worker thread. Parses texts that could keep a thread busy, one at a time.
import { randomUUID } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { checkDraft } from "#core/ai/generate.ts";
import { lintBody, prepareTextForModel, tidyText, tryEdits } from "#core/ai/improve.ts";
import { unreviewedAssumptionFindings } from "#core/ai/unreviewed.ts";
import { canonicalBody } from "#core/import/markdown/canonical-body.ts";
import { readMarkdownDocument } from "#core/import/markdown/markdown-file.ts";
import { diffHtml } from "#core/diff/html.ts";
import { diffLines } from "#core/diff/lines.ts";
import { documentAsHtmlFile } from "#core/export/html/page.ts";
import { assetLinks, withServerAssetLinks } from "#core/markdown/assets.ts";
import { sopLinkPlaces } from "#core/markdown/sop-links.ts";
import { linkMentions } from "#core/markdown/sop-mentions.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { bodyOfHtml, type StoredContent } from "#core/import/html/content.ts";
import { lintAcross } from "#core/lint/across.ts";
import { lintFile } from "#core/lint/engine.ts";
import { compareFindingPositions } from "#core/lint/positions.ts";
import { rules } from "#core/lint/rules/index.ts";
import type { Finding, Fix } from "#core/lint/finding.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import { htmlToMarkdown } from "#core/markdown/from-html.ts";
import { fileTextOf } from "#core/markdown/front-matter.ts";
import { assertParsable } from "#core/markdown/limits.ts";
import { renderSop } from "#core/steps/steps-of.ts";
import { yieldToRequests } from "../capacity/yield-to-requests.ts";
import { sha256 } from "../hashing.ts";
import type { TaskRequest, HtmlPage, TextToPublish, PageInPieces, RenderReply, TaskName, Tasks } from "./tasks.ts";
import { refusals } from "./refusals.ts";

yieldToRequests("request");

/**
 * Returns the task with a check before it that refuses a text with too many marks. The check takes up to 0.1 s, which
 * is too long for the thread that answers requests.
 */
function withParsableCheck<T>(run: (markdown: string) => T): (markdown: string) => T {
  return (markdown) => {
    assertParsable(markdown);
    return run(markdown);
  };
}

const work: { [Name in TaskName]: (input: Tasks[Name]["input"]) => Tasks[Name]["output"] } = {
  render: withParsableCheck(renderSop),
  format: withParsableCheck(formatMarkdown),
  compose(input) {
    const stored = "content" in input ? bodyOfHtml(input) : renderableBody(input);
    const { markdown } = stored;
    return { ...stored, sopLinks: sopLinkPlaces(markdown, input.origin), assets: assetLinks(markdown) };
  },
  fromHtml: htmlToMarkdown,
  readDocument(file) {
    const document = readMarkdownDocument(file);
    const body = withServerAssetLinks(document.body);
    return { ...document, body, links: assetLinks(body) };
  },
  assetLinks,
  sopLinks: ({ markdown, origin }) => sopLinkPlaces(markdown, origin),
  linkMentions({ markdown, before, numbers, unlinked }) {
    const linked = linkMentions(markdown, before, new Set(numbers), unlinked);
    return isParsable(linked.markdown) ? linked : { markdown, mentions: [] };
  },
  findings: lintWithBodyPositions,
  checkDraft: ({ draft, request }) => checkDraft(draft, request),
  readText: withParsableCheck(prepareTextForModel),
  tryEdits,
  findingsIn: lintBody,
  tidy: withParsableCheck((markdown) => tidyText({ title: "", markdown })),
  documentAsHtmlFile: htmlFileOf,
  diff: ({ before, after }) => ({
    blocks: diffHtml(before.html, after.html),
    markdown: diffLines(before.markdown, after.markdown),
  }),
};

/** Makes the stored form of a text. Refuses texts that can't be rendered in time, before they are stored. */
function renderableBody(text: { markdown: string; title: string }): StoredContent {
  const body = canonicalBody(text);
  assertParsable(body.markdown);
  return { ...body, html: renderSop(body.markdown) };
}

/** Says whether the text has few enough marks to be parsed in time. */
function isParsable(markdown: string): boolean {
  try {
    assertParsable(markdown);
    return true;
  } catch {
    return false;
  }
}

/** Checks a text. Lines and offsets count in the body; findings in the front matter have line 0. */
function lintWithBodyPositions({ frontMatter, markdown, preset, sops }: TextToPublish): Finding[] {
  // with an id, the text counts as the file of an SOP
  const file = fileTextOf({ ...frontMatter, id: frontMatter.id ?? newId() }, markdown);
  const head = file.slice(0, file.length - markdown.length);
  const above = head.split("\n").length - 1;
  const { findings, facts } = lintFile(file, { path: "sop.md", preset });
  const surroundings = { sops: (to: string) => sops[to] ?? ("unknown" as const) };
  const links = lintAcross([facts], { preset, rules: onlyLinks }, surroundings).get("sop.md") ?? [];
  const found = [...findings, ...links].sort(compareFindingPositions).map(({ fix, ...finding }) => ({
    ...finding,
    line: Math.max(0, finding.line - above),
    endLine: Math.max(0, finding.endLine - above),
    ...(fix === undefined || fix.edits.some(({ start }) => start < head.length)
      ? {}
      : { fix: shiftFix(fix, head.length) }),
  }));
  return [...found, ...(frontMatter.ai_generated === true ? unreviewedAssumptionFindings(markdown) : [])];
}

/** The setting that turns off all rules across files, except the rule about links, whose facts the server has. */
const onlyLinks = Object.fromEntries(rules.flatMap(({ id }) => (id === "ref/sop" ? [] : [[id, "off" as const]])));

const styleHash = (style: string) => sha256(style, "base64");

function htmlFileOf({ document, html, images }: HtmlPage): PageInPieces {
  // a random mark, so that no text can contain it
  const mark = randomUUID();
  const imageDataUrl = (name: string) => {
    const type = images[name];
    return type === undefined ? undefined : `data:${type};base64,${mark}${name}${mark}`;
  };
  const pieces = documentAsHtmlFile(document, { html, image: imageDataUrl }, styleHash).split(mark);
  return {
    texts: pieces.filter((_, index) => index % 2 === 0),
    names: pieces.filter((_, index) => index % 2 === 1),
  };
}

function shiftFix({ safe, edits }: Fix, by: number): Fix {
  return { safe, edits: edits.map(({ start, end, text }) => ({ start: start - by, end: end - by, text })) };
}

function threadCpuMicroseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

function runRenderTask({ task, input }: TaskRequest): RenderReply {
  try {
    return { kind: "done", output: work[task](input as never), cpu: threadCpuMicroseconds() };
  } catch (error) {
    if (error instanceof AppError) return { kind: "refused", error: error.toBody(), cpu: threadCpuMicroseconds() };
    if (error instanceof RangeError) {
      return {
        kind: "refused",
        error: new AppError("unprocessable", refusals.nestedTooDeeply()).toBody(),
        cpu: threadCpuMicroseconds(),
      };
    }
    return {
      kind: "broken",
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      cpu: threadCpuMicroseconds(),
    };
  }
}

parentPort?.on("message", (ask: TaskRequest) => parentPort?.postMessage(runRenderTask(ask)));
parentPort?.postMessage({ kind: "ready", cpu: threadCpuMicroseconds() } satisfies RenderReply);
