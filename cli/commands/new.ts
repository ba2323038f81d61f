import { spawn } from "node:child_process";
import { join } from "node:path";
import { limits } from "#core/limits.ts";
import { readMarkdownFile } from "#core/markdown/read-file.ts";
import { slugify } from "#core/repository/slugs.ts";
import { alignedColumns } from "../columns.ts";
import { exit, invalidInputError } from "../exit.ts";
import { readIfExists, writeFileAtomically } from "../files.ts";
import { frontMatterOrNull } from "../workspace/documents.ts";
import { findWorkspace } from "../workspace/find.ts";
import { documentFromTemplate, categoryFolderName } from "../workspace/new-document.ts";
import { findDefaultOwner } from "../workspace/default-owner.ts";
import { loadTemplates, standardTemplateName, unknownTemplateError } from "../workspace/templates.ts";
import type { CommandContext, CommandResult } from "../context.ts";

export interface NewOptions {
  template?: string;
  category?: string;
  owner?: string;
  open?: boolean;
  listTemplates?: boolean;
}

export async function newDocument(
  context: CommandContext,
  title: string | undefined,
  options: NewOptions,
): Promise<CommandResult> {
  const root = findWorkspace(context);
  const templates = await loadTemplates(root);
  if (options.listTemplates) return templateListResult(templates);
  const newTitle = title?.trim() ?? "";
  if (newTitle === "")
    throw invalidInputError("usage", "a new document needs a title", { hint: 'sop new "Reset a user password"' });
  if (newTitle.length > limits.titleCharacters) {
    throw invalidInputError(
      "title",
      `a title has at most ${limits.titleCharacters} characters, this one has ${newTitle.length}`,
    );
  }
  const template = templates.get(options.template ?? standardTemplateName);
  if (template === undefined)
    throw unknownTemplateError(options.template ?? standardTemplateName, [...templates.keys()]);
  const folder = options.category === undefined ? "uncategorized" : categoryFolderName(options.category);
  const path = await findFreeDocumentPath(root, `sops/${folder}/${slugify(newTitle)}`, newTitle);
  const text = documentFromTemplate(template, {
    title: newTitle,
    owner: options.owner ?? (await findDefaultOwner(context)),
  });
  await writeFileAtomically(join(root, path), text);
  if (options.open) await openEditor(context, join(root, path));
  const next = `Next: replace the text in [brackets], then sop lint ${path}\n`;
  const data = { path, title: newTitle, template: options.template ?? standardTemplateName };
  return { exit: exit.done, data, text: `+ ${path}\n${context.out.quiet ? "" : next}` };
}

/**
 * Finds a path that no file has yet. A number is added if another document's title gives the same file name. @throws
 * exit 2 if a document with the same title exists
 */
async function findFreeDocumentPath(root: string, base: string, title: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const path = `${base}${count === 1 ? "" : `-${count}`}.md`;
    const existing = await readIfExists(join(root, path));
    if (existing === null) return path;
    if (frontMatterOrNull(existing.toString("utf8"))?.title !== title) continue;
    throw invalidInputError("exists", `${path} exists`, { path, hint: `choose another title, such as "${title} (2)"` });
  }
}

function templateListResult(templates: ReadonlyMap<string, string>): CommandResult {
  const rows = [...templates].map(([name, text]) => ({ name, ...titleAndDescriptionOf(text) }));
  return {
    exit: exit.done,
    data: rows,
    text: alignedColumns(rows.map(({ name, title, description }) => [name, title, description])),
  };
}

function titleAndDescriptionOf(text: string): { title: string; description: string } {
  const { title = "", description = "" } = readMarkdownFile(text).frontMatter;
  return { title, description };
}

/** Opens $VISUAL or $EDITOR and waits until it closes. */
async function openEditor({ env }: CommandContext, file: string): Promise<void> {
  const editor = env["VISUAL"] || env["EDITOR"];
  if (!editor)
    throw invalidInputError("no_editor", "no editor is set; the document is written", {
      path: file,
      hint: "set VISUAL or EDITOR",
    });
  const [program = "", ...args] = editor.split(/\s+/);
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(program, [...args, file], { stdio: "inherit" });
    child.once("error", () =>
      reject(invalidInputError("no_editor", `${program} can't be started; the document is written`, { path: file })),
    );
    child.once("exit", resolve);
  });
  if (code !== 0)
    throw invalidInputError("editor", `${program} ended with ${code}; the document is written`, { path: file });
}
