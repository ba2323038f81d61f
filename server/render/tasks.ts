import { type ErrorBody } from "#core/errors.ts";
import type { SopDraft } from "#core/ai/draft.ts";
import type { CheckedDraft, DraftRequest } from "#core/ai/generate.ts";
import type { ImprovedText, PreparedText, EditTrial, EditTrialResult } from "#core/ai/improve.ts";
import type { DiffBlock, DiffLines } from "#core/diff/schema.ts";
import type { ExportDocument } from "#core/export/document.ts";
import type { StoredContent } from "#core/import/html/content.ts";
import type { CanonicalBody } from "#core/import/markdown/canonical-body.ts";
import { type MarkdownDocument } from "#core/import/markdown/markdown-file.ts";
import { type AssetLinks } from "#core/markdown/assets.ts";
import type { SopLinkPlace } from "#core/markdown/sop-links.ts";
import type { SopMention } from "#core/markdown/sop-mentions.ts";
import type { PresetName } from "#core/lint/rule.ts";
import type { Finding } from "#core/lint/finding.ts";
import { type ConvertedHtml } from "#core/markdown/from-html.ts";
import type { FrontMatter } from "#core/markdown/front-matter.ts";

/** A worker's tasks, with input and output. */
export interface Tasks {
  render: { input: string; output: string };
  format: { input: string; output: string };
  compose: { input: SubmittedSource & ComposeOptions; output: ComposedText & StoredContent };
  fromHtml: { input: string; output: ConvertedHtml };
  readDocument: { input: { path: string; text: string }; output: ReadMarkdown };
  assetLinks: { input: string; output: AssetLinks };
  sopLinks: { input: { markdown: string; origin: string }; output: SopLinkPlace[] };
  linkMentions: { input: TextWithMentions; output: { markdown: string; mentions: SopMention[] } };
  findings: { input: TextToPublish; output: Finding[] };
  checkDraft: { input: { draft: SopDraft; request: DraftRequest }; output: CheckedDraft };
  readText: { input: string; output: PreparedText };
  tryEdits: { input: EditTrial; output: EditTrialResult };
  findingsIn: { input: string; output: Finding[] };
  tidy: { input: string; output: ImprovedText };
  documentAsHtmlFile: { input: HtmlPage; output: PageInPieces };
  diff: { input: { before: MarkdownAndHtml; after: MarkdownAndHtml }; output: TextDiff };
}

/** A text in the form in which it was sent: Markdown, or HTML of the editor. */
export type SubmittedSource = { markdown: string } | { content: string };

export interface ComposeOptions {
  title: string;
  /** The server's own address, with which links can begin. */
  origin: string;
}

/** A text in its stored form with its links, for a save in a single task. */
export interface ComposedText extends CanonicalBody {
  sopLinks: SopLinkPlace[];
  assets: AssetLinks;
}

/** The input of core's `linkMentions`. */
export interface TextWithMentions {
  markdown: string;
  before: readonly string[];
  numbers: readonly string[];
  unlinked: boolean;
}

/** A text to approve or publish, and the rules that it must follow. */
export interface TextToPublish {
  frontMatter: FrontMatter;
  markdown: string;
  preset: PresetName;
  /** The linked SOPs that the actor can see. Other links count as unknown. */
  sops: Readonly<Record<string, "there" | "archived">>;
}

/** An SOP to export as one HTML file. */
export interface HtmlPage {
  document: ExportDocument;
  html: string;
  /** The media types of its images, by the name in their links. */
  images: Readonly<Record<string, string>>;
}

/**
 * A page of HTML in pieces, without the bytes of its images: `texts[0]`, image `names[0]` as base64, `texts[1]`, and so
 * on.
 */
export interface PageInPieces {
  texts: string[];
  names: string[];
}

/** A version's text in both forms. */
export interface MarkdownAndHtml {
  markdown: string;
  html: string;
}

export interface TextDiff {
  blocks: DiffBlock[];
  markdown: DiffLines[];
}

/** A file read as an SOP, with links to stored assets. */
export interface ReadMarkdown extends MarkdownDocument {
  links: AssetLinks;
}

export type TaskName = keyof Tasks;

export interface TaskRequest {
  task: TaskName;
  input: unknown;
}

/**
 * A worker's answer. `cpu` is the thread's total CPU time in microseconds. The difference from the answer before is the
 * time of one task.
 */
export type RenderReply =
  | { kind: "ready"; cpu: number }
  | { kind: "done"; cpu: number; output: unknown }
  | { kind: "refused"; cpu: number; error: ErrorBody }
  | { kind: "broken"; cpu: number; message: string };
