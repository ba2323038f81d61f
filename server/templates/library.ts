/** Loads the template library: Markdown files shipped with the product, read once at the start. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { readMarkdownFile } from "#core/markdown/read-file.ts";
import { readingMinutesOf } from "#core/markdown/read-time.ts";

export interface LibraryTemplate {
  /** The file's name without its ending. */
  id: string;
  title: string;
  description: string;
  tags: string[];
  readTime: number;
  /** The number of steps in all procedures. */
  steps: number;
  markdown: string;
}

export type TemplateLibrary = ReadonlyMap<string, LibraryTemplate>;

export async function loadTemplates(dir: string): Promise<TemplateLibrary> {
  const names = (await readdir(dir)).filter((name) => name.endsWith(".md")).sort();
  const templates = await Promise.all(names.map((name) => readTemplate(dir, name)));
  return new Map(templates.map((template) => [template.id, template]));
}

async function readTemplate(dir: string, name: string): Promise<LibraryTemplate> {
  const { frontMatter, body } = readMarkdownFile(await readFile(path.join(dir, name), "utf8"));
  return {
    id: name.replace(/\.md$/, ""),
    title: frontMatter.title ?? name,
    description: frontMatter.description ?? "",
    tags: frontMatter.tags ?? [],
    readTime: frontMatter.read_minutes ?? readingMinutesOf(body),
    steps: body.match(/^\d+\. /gm)?.length ?? 0,
    markdown: body,
  };
}
