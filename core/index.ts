/** The API for other programs: the typed client, functions for texts, and the rules. */
export { ApiError, createClient, type Client, type Send } from "./api/client.ts";
export { routes } from "./api/routes.ts";
export type { Schemas } from "./api/schemas.ts";
export { readMarkdownDocument, type MarkdownDocument, type ReportLine } from "./import/markdown/markdown-file.ts";
export { AppError, errorTable, type ErrorCode } from "./errors.ts";
export { lintAcross } from "./lint/across.ts";
export { lintText as lint, lintFile } from "./lint/engine.ts";
export { readFileFacts, type FileFacts } from "./lint/facts.ts";
export { lintAndFix } from "./lint/fix.ts";
export type { Finding } from "#core/lint/finding.ts";
export { formatMarkdown, sameTree } from "./markdown/format.ts";
export { fileTextOf, parseFrontMatter, splitFrontMatter, type FrontMatter } from "./markdown/front-matter.ts";
export { htmlToMarkdown } from "./markdown/from-html.ts";
export { renderHtml } from "./markdown/render.ts";
