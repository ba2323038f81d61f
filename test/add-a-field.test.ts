/** Each row of the table of fields is in all places that take fields from it, and in those that people write by hand. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { changedFrontMatterFields } from "#core/diff/facts.ts";
import { fileTextOf, frontMatterKinds, type FrontMatter } from "#core/markdown/front-matter.ts";
import { readMarkdownFile } from "#core/markdown/read-file.ts";
import { fieldChangesOfProposal } from "#core/proposals/fields.ts";
import { editedFields, fieldLabels, fileFields, listedFields, emptyValues, sopFields } from "#core/sop-fields.ts";
import { saveBodyOf, comparedFields, sopFormValuesOf } from "#core/sops/form-values.ts";
import { CheckAsk, Sop, SopCreate, SopForm, SopRow, SopUpdate } from "#core/sops/schema.ts";
import { published, summary } from "../server/database/shape-parts.ts";
import { declarations } from "../server/database/documents.ts";
import { versionSummaryOf } from "#core/life-cycle/save.ts";
import { summaryFieldsOf } from "#core/life-cycle/step.ts";
import { factLabel } from "../web/sops/diff/diff-texts.ts";
import { empty } from "./editing-server.ts";

const read = (file: string) => readFileSync(path.join(import.meta.dirname, "..", file), "utf8");
const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);
const values = { string: "2031-10-01", integer: 7, boolean: true, list: ["a"] };
const filled: FrontMatter = Object.fromEntries(fileFields.map(({ file }) => [file, values[frontMatterKinds[file]]]));
const relations = { ownerId: "owner", teamId: "team" };

describe("each field of the table", () => {
  test("is in the API, as its row says", () => {
    const ofRecord = sopFields.filter(({ kind }) => kind !== "list");
    expect(Object.keys(Sop.shape)).toEqual(expect.arrayContaining(names(ofRecord)));
    for (const { shape } of [SopCreate, SopUpdate])
      expect(Object.keys(shape)).toEqual(expect.arrayContaining(names(ofRecord)));
    const listed = names(sopFields).filter(
      (name) => name in SopRow.shape && !/^(?:number|categoryId|status)$/.test(name),
    );
    expect(listed).toEqual(names(listedFields));
    const read = sopFields.filter(({ kind }) => ["line", "text", "day", "flag"].includes(kind));
    expect(Object.keys(CheckAsk.shape).toSorted()).toEqual(["markdown", ...names(read)].toSorted());
  });

  test("is in the form, compared and sent, if people edit it", () => {
    const edited = names(editedFields);
    expect(Object.keys(SopForm.shape).toSorted()).toEqual([...edited, "markdown"].toSorted());
    expect(Object.keys(sopFormValuesOf(null)).toSorted()).toEqual([...edited, "markdown"].toSorted());
    expect(comparedFields).toEqual(edited);
    const changed = Object.fromEntries(edited.map((name) => [name, name === "readTime" ? 77 : `new ${name}`]));
    expect(Object.keys(saveBodyOf({ ...sopFormValuesOf(empty), ...changed }, empty))).toEqual(
      expect.arrayContaining(edited),
    );
  });

  test("has an input on the edit screen", () => {
    const [drawer = "", page = ""] = [
      ["PropertiesDrawer", "NumberProperty", "StatusPanel", "LifeCycle"],
      ["PageFields", "EditBar"],
    ].map((files) => files.map((file) => read(`web/sops/edit/${file}.tsx`)).join("\n"));
    for (const { name, edited } of editedFields)
      expect([name, (edited === "drawer" ? drawer : page).includes(`"${name}"`)]).toEqual([name, true]);
  });

  test("is in the file, in its order, and read back", () => {
    const keys = fileFields.map(({ file }) => file);
    const text = fileTextOf(filled, "Text\n");
    expect([...text.matchAll(/^(\w+):/gm)].map(([, key]) => key)).toEqual(keys);
    expect(readMarkdownFile(text).frontMatter).toEqual(filled);
    const order = /Keys in this order: ([^.]+)\./.exec(read("docs/spec/repository-format.md"))?.[1];
    expect(order?.split(", ")).toEqual(["sop", "id", "version", ...keys]);
  });

  test("is stored and answered as the file has it, and checked when it is read", () => {
    for (const shape of [summary, published, declarations.sops.shape ?? {}])
      expect(Object.keys(shape)).toEqual(expect.arrayContaining(names(listedFields)));
    const stored = versionSummaryOf(filled, relations);
    const expected = listedFields.map((row) => [
      row.name,
      row.kind === "relation" ? relations[row.name] : filled[row.file],
    ]);
    expect(stored).toEqual(Object.fromEntries(expected));
    expect(summaryFieldsOf(Object.assign({ slug: "more" }, stored))).toEqual(stored);
    const none = Object.fromEntries(listedFields.map(({ name, kind }) => [name, emptyValues[kind]]));
    expect(versionSummaryOf({}, { ownerId: null, teamId: null })).toEqual(none);
  });

  test("is compared, with a label, and proposed unless its row says no", () => {
    expect(changedFrontMatterFields({}, filled).map(({ field }) => field)).toEqual(fileFields.map(({ file }) => file));
    expect(Object.keys(fieldLabels)).toEqual(names(sopFields));
    for (const { file } of fileFields) expect(factLabel(file)).toMatch(/^[A-Z]/);
    const proposed = fileFields.filter((row) => !("proposed" in row)).map(({ file }) => file);
    expect(fieldChangesOfProposal({}, {}, filled).map(({ key }) => key)).toEqual(proposed);
  });

  test("is in the documentation", () => {
    const fields = /## SOP\n\n([^\n]+)\.\n/.exec(read("docs/spec/entities.md"))?.[1]?.split(", ");
    const documented = sopFields.filter(({ kind }) => kind !== "list");
    expect(fields).toEqual(expect.arrayContaining(names(documented)));
  });
});
