/** Makes a document from a template, without the values that belong only to the template. */
import { fileTextOf } from "#core/markdown/front-matter.ts";
import { readMarkdownFile } from "#core/markdown/read-file.ts";
import { slugify } from "#core/repository/slugs.ts";

export interface NewDocument {
  title: string;
  owner: string;
}

/** @throws AppError if the template's front matter can't be read */
export function documentFromTemplate(template: string, { title, owner }: NewDocument): string {
  const { frontMatter, body } = readMarkdownFile(template);
  const { sop: _sop, id: _id, version: _version, template: _template, read_minutes: _minutes, ...header } = frontMatter;
  const { description, ...others } = header;
  // A placeholder becomes an empty description, so that lint reports it as missing.
  const isWritten = description !== undefined && !description.startsWith("[");
  const front = { ...others, ...(isWritten && { description }), title, owner, lang: header.lang ?? "en" };
  const text = fileTextOf(front, body);
  return isWritten ? text : text.replace(/^title: .*\n/m, '$&description: ""\n');
}

/** Converts a name to a username: `Grace Hopper's PC` becomes `grace-hopper-s-pc`. */
export function usernameFor(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, "-")
      .replace(/^-+|-+$/g, "") || "owner"
  );
}

/** Returns the folder name of a category, as on the server. */
export const categoryFolderName = (category: string) => slugify(category);
