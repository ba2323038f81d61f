/** Splits a Markdown file so that only its body changes. Byte order mark, line ends and front matter stay. */
import { parseMarkdown } from "#core/markdown/parse.ts";
import { plainText } from "#core/markdown/plain-text.ts";
import { readMarkdownFile } from "#core/markdown/read-file.ts";
import { bodyWithoutFrontMatter } from "../format-file.ts";

export interface FileInParts {
  /** The file's text before the body, with LF line ends. */
  head: string;
  /** The text after the front matter, with LF line ends. */
  body: string;
  /** The title in the front matter; empty without one. */
  title: string;
  /** Returns the whole file with another body. */
  with(body: string): string;
}

/** @throws AppError for front matter that can't be read */
export function splitMarkdownFile(text: string): FileInParts {
  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const lines = text.slice(bom.length).replace(/\r\n?/g, "\n");
  // A file that mixes LF and CRLF is written with LF throughout.
  const isCrlf = lines.includes("\n") && lines.replaceAll("\n", "\r\n") === text.slice(bom.length);
  const body = bodyWithoutFrontMatter(lines);
  const head = lines.slice(0, lines.length - body.length);
  return {
    head,
    body,
    title: readMarkdownFile(lines).frontMatter.title ?? "",
    with: (other) => bom + (isCrlf ? (head + other).replaceAll("\n", "\r\n") : head + other),
  };
}

/**
 * Returns the document with a title heading at the start of its body moved to the unchanged part above. Models must not
 * reword that heading, and servers don't store it.
 */
export function withoutTitleHeading(document: FileInParts): FileInParts {
  const { head, body, title } = document;
  const [first, second] = parseMarkdown(body).children;
  if (first?.type !== "heading" || first.depth !== 1) return document;
  const start = second?.position?.start.offset ?? body.length;
  const above = body.slice(0, start);
  return {
    head: head + above,
    body: body.slice(start),
    title: title || plainText(first),
    with: (other) => document.with(above + other),
  };
}
