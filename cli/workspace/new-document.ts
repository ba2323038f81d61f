/** A document made from a template: what belongs to the template alone stays behind. */
import { emitFile } from "#core/markdown/front-matter.ts";
import { readMarkdownFile } from "#core/markdown/read-file.ts";
import { slugify } from "#core/repository/slugs.ts";

export interface NewDocument {
  title: string;
  owner: string;
}

/** @throws AppError where the template's front matter can't be read */
export function documentFrom(template: string, { title, owner }: NewDocument): string {
  const { frontMatter, body } = readMarkdownFile(template);
  const { sop: _sop, id: _id, version: _version, template: _template, read_minutes: _minutes, ...header } = frontMatter;
  const { description, ...others } = header;
  // Unwritten text stays empty: the file shows its place, and lint reports it.
  const isWritten = description !== undefined && !description.startsWith("[");
  const front = { ...others, ...(isWritten && { description }), title, owner, lang: header.lang ?? "en" };
  const text = emitFile(front, body);
  return isWritten ? text : text.replace(/^title: .*\n/m, '$&description: ""\n');
}

/** `Grace Hopper's PC` → `grace-hopper-s-pc`: usernames are lower case. */
export function ownerName(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, "-")
      .replace(/^-+|-+$/g, "") || "owner"
  );
}

/** A category's folder, as the server names it. */
export const folderName = (category: string) => slugify(category);
