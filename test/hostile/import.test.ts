/** Misuse of imports: to learn about drafts, to overwrite other people's texts, to stop an import. */
import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { ImportRequest } from "#core/sops/import-schema.ts";
import { describeServer, type TestUser } from "../server.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const file = (path: string, text: string) => ({ path, text, sha256: sha256(text) });
type File = ReturnType<typeof file>;

const run = async (
  user: TestUser,
  documents: readonly (File | Omit<File, "text">)[],
  options: Partial<ImportRequest> = {},
) =>
  (await user.client.sops.import({ body: { importId: randomUUID(), documents: [...documents], ...options } })).results;
const outcomes = async (...args: Parameters<typeof run>) => (await run(...args)).map(({ outcome }) => outcome);
const withoutText = ({ path, sha256: hash }: File) => ({ path, sha256: hash });
const fixedId = randomUUID();

describeServer("hostile imports", (server) => {
  test("a path, a hash or an id of another user's draft answers like an unknown one", async () => {
    const company = await server().company();
    const [editor, contributor] = [await company.user("editor"), await company.user("contributor")];
    const draft = file("secret/plan.md", "# Zanzibar plan\n\nThe words.\n");
    const [made] = await run(editor, [draft]);
    const id = made?.id ?? "";
    const withId = (one: string) => file("mine.md", `---\nid: ${one}\ntitle: Mine\n---\n\nMine\n`);

    const answers = async (path: string, text: string, one: string) => {
      const asked = await run(contributor, [withoutText(file(path, text))], { dryRun: true });
      const planned = await run(contributor, [file(path, "# Other\n\nOther.\n"), withId(one)], { dryRun: true });
      const same = await run(contributor, [file(`${path}.copy.md`, text)], { dryRun: true });
      return [...asked, ...planned, ...same].map(({ outcome, reason, id: known, title }) => [
        outcome,
        reason,
        known,
        title === "Zanzibar plan" && outcome !== "create" ? title : "",
      ]);
    };
    expect(await answers(draft.path, draft.text, id)).toEqual(
      await answers("nobody/has.md", "# Nobody\n\nHas this.\n", randomUUID()),
    );

    // the import creates an SOP for the contributor, and does not touch the editor's source
    const [own] = await run(contributor, [file(draft.path, "# Other\n\nOther.\n")]);
    expect(own).toMatchObject({ outcome: "create" });
    expect(await run(contributor, [file(draft.path, "# Other\n\nOther, changed.\n")])).toMatchObject([
      { outcome: "update", id: own?.id, version: 2 },
    ]);
    expect(await run(editor, [file(draft.path, "# Zanzibar plan\n\nOther words.\n")])).toMatchObject([
      { outcome: "update", id, version: 2 },
    ]);
    // a copy of a file with the id of a hidden SOP becomes the contributor's own, too
    const [copy] = await run(contributor, [withId(id)]);
    expect(copy).toMatchObject({ outcome: "create" });
    expect(await outcomes(contributor, [withId(id)])).toEqual(["unchanged"]);
    expect((await run(editor, [withId(id)]))[0]).toMatchObject({ outcome: "conflict", id });
  });

  test("a reader of the published version learns nothing about the draft by trying texts", async () => {
    const company = await server().company();
    const [editor, contributor] = [await company.user("manager"), await company.user("contributor")];
    const text = (title: string, words: string) => file("p.md", `# ${title}\n\n${words}\n`);
    const [made] = await run(editor, [text("Open", "Open words.")]);
    const id = made?.id ?? "";
    await editor.client.sops.publish({ params: { id }, body: {} });
    await run(editor, [text("Zanzibar", "Secret words.")]);

    const asked = async (one: File) => {
      const results = [
        ...(await run(contributor, [withoutText(one)], { dryRun: true })),
        ...(await run(contributor, [one], { dryRun: true })),
        ...(await run(contributor, [one], { dryRun: true, onConflict: "theirs" })),
      ];
      return results.map(({ outcome, reason, version }) => [outcome, reason, version]);
    };
    const guess = await asked(text("Zanzibar", "Secret words."));
    expect(guess).toEqual(await asked(text("Zanzibar", "Wrong words.")));
    expect(JSON.stringify(guess)).not.toMatch(/version 2|"unchanged"/);
    const known = await run(contributor, [text("Open", "Open words.")], { dryRun: true });
    expect(JSON.stringify(known)).not.toMatch(/Zanzibar|"version":2/);
  });

  test("a copy that was imported again unchanged is no leave to overwrite what was edited here since", async () => {
    const editor = await (await server().company()).user("editor");
    const old = file("p.md", "# P\n\nOne.\n");
    const [made] = await run(editor, [old]);
    const params = { id: made?.id ?? "" };
    await editor.client.sops.update({ params, body: { markdown: "Edited here.\n" } });
    expect(await outcomes(editor, [old])).toEqual(["unchanged"]);
    expect(await outcomes(editor, [file("p.md", "# P\n\nOne, and two.\n")])).toEqual(["conflict"]);
    expect((await editor.client.sops.get({ params })).markdown).toBe("Edited here.\n");
    // the same with an id but no version in the file
    const named = (words: string) => file("q.md", `---\nid: ${fixedId}\ntitle: Q\n---\n\n${words}\n`);
    const [second] = await run(editor, [named("One.")]);
    await editor.client.sops.update({ params: { id: second?.id ?? "" }, body: { markdown: "Edited here.\n" } });
    expect(await outcomes(editor, [named("One.")])).toEqual(["unchanged"]);
    expect(await outcomes(editor, [named("One, and two.")])).toEqual(["conflict"]);
  });

  test("the next version of a file that names no owner keeps the owner", async () => {
    const company = await server().company();
    const [first, second] = [await company.user("editor"), await company.user("editor")];
    const [made] = await run(first, [file("p.md", "# P\n\nOne.\n")]);
    expect(await outcomes(second, [file("p.md", "# P\n\nTwo.\n")])).toEqual(["conflict"]);
    const [next] = await run(second, [file("p.md", "# P\n\nTwo.\n")], { onConflict: "theirs" });
    expect(next?.outcome).toBe("update");
    const sop = await second.client.sops.get({ params: { id: made?.id ?? "" } });
    expect(sop).toMatchObject({ version: 2, ownerId: first.id });
  });

  test("two documents that are one SOP stop neither each other nor the rest", async () => {
    const editor = await (await server().company()).user("editor");
    const [made] = await run(editor, [file("p.md", "# P\n\nOne.\n")]);
    const id = made?.id ?? "";
    const answer = await run(editor, [
      file("p.md", "# P\n\nTwo.\n"),
      file("exported.md", `---\nid: ${id}\nversion: 1\ntitle: P\ndescription: One.\n---\n\nThree.\n`),
      file("other.md", "# Other\n\nOther.\n"),
      file("other.md", "# Other\n\nOnce more.\n"),
    ]);
    expect(answer.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ["update", undefined],
      ["refused", "It is the same SOP as p.md: import one of them"],
      ["create", undefined],
      ["refused", "Another document of this import has the same path"],
    ]);
    expect((await editor.client.sops.get({ params: { id } })).version).toBe(2);
  });

  test("a category that is not known refuses the plan like the import", async () => {
    const editor = await (await server().company()).user("editor");
    for (const dryRun of [true, false]) {
      const refused = run(editor, [file("p.md", "# P\n\nOne.\n")], { category: "nowhere", dryRun });
      await expect(refused).rejects.toThrow(/400: .*nowhere is not known/);
    }
  });

  test("folders in any script become categories of their own", async () => {
    const manager = await (await server().company()).user("manager");
    const files = ["日本語/a.md", "中文/b.md", "日本語/c.md", "中文/日本語/d.md", "./!!/e.md"].map((path) =>
      file(path, `# ${path}\n\nText.\n`),
    );
    expect(await outcomes(manager, files, { createCategories: true })).toEqual(files.map(() => "create"));
    const { data } = await manager.client.sops.list();
    expect(data.map(({ title, category }) => [title, category?.name]).sort()).toEqual(
      [
        ["日本語/a.md", "日本語"],
        ["中文/b.md", "中文"],
        ["日本語/c.md", "日本語"],
        ["中文/日本語/d.md", "日本語"],
        ["./!!/e.md", undefined],
      ].sort(),
    );
  });
});
