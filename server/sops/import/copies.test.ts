/** Files that an import copied: from then on, the copy is their SOP, for the user who chose it. */
import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { ImportRequest } from "#core/sops/import-schema.ts";
import { unknownId } from "../../../test/contract-rows.ts";
import { describeServer, type TestUser } from "../../../test/server.ts";

const file = (path: string, text: string) => ({
  path,
  text,
  sha256: createHash("sha256").update(text).digest("hex"),
});
const text = (...steps: string[]) => `# Clean the mill\n\n${steps.map((step, at) => `${at + 1}. ${step}\n`).join("")}`;
const [first, changedHere] = [text("Stop it.", "Brush it."), text("Stop it.", "Brush it.", "Wipe it.")];
const [changed, later, last] = [
  text("Stop it.", "Brush it dry."),
  text("Stop it.", "Brush it dry.", "Oil it."),
  text("Stop it.", "Brush it dry.", "Oil it.", "Start it."),
];

const exportsOf = (id: string) => (version: number, words: string) =>
  `---\nid: ${id}\nsop: SOP-0001\nversion: ${version}\n---\n\n${words}`;

describeServer("a file that became a copy", (server) => {
  const run = async (user: TestUser, path: string, words: string, options: Partial<ImportRequest> = {}) => {
    const documents = [file(path, words)];
    const send = async (dryRun: boolean) =>
      (await user.client.sops.import({ body: { importId: randomUUID(), documents, ...options, dryRun } })).results.map(
        ({ outcome, number, version }) => [outcome, ...(outcome === "create" ? [] : [number]), version],
      )[0];
    const planned = await send(true);
    const done = await send(false);
    expect(planned).toEqual(done);
    return done;
  };
  const read = async (user: TestUser, number: string) => {
    const { markdown, version } = await user.client.sops.get({ params: { id: number } });
    return { markdown, version };
  };
  /** SOP-0001, of which version 2 was written here. */
  const start = async (path: string) => {
    const company = await server().company();
    const user = await company.user("manager");
    await run(user, path, first);
    const { id } = await user.client.sops.get({ params: { id: "SOP-0001" } });
    await user.client.sops.update({ params: { id }, body: { markdown: changedHere } });
    return { company, user, id };
  };
  const copy = { onConflict: "copy" } as const;

  test.each([
    ["no keys", () => ""],
    ["the id and version of the SOP", (id: string) => `---\nid: ${id}\nsop: SOP-0001\nversion: 1\n---\n\n`],
    ["the id of the SOP alone", (id: string) => `---\nid: ${id}\n---\n\n`],
    ["the number of the SOP", () => "---\nsop: SOP-0001\n---\n\n"],
    ["an id of another server", () => `---\nid: ${unknownId}\nsop: SOP-0001\n---\n\n`],
  ])("and has %s goes on as the copy", async (_, head) => {
    const { user, id } = await start("docs/mill.md");
    const path = "docs/mill.md";
    const at = (words: string) => head(id) + words;
    expect((await run(user, path, at(changed)))?.[0]).toBe("conflict");
    expect(await run(user, path, at(changed), copy)).toEqual(["create", 1]);
    expect(await run(user, path, at(changed))).toEqual(["unchanged", "SOP-0002", 1]);
    for (const onConflict of ["skip", "copy", "theirs"] as const)
      expect(await run(user, path, at(changed), { onConflict })).toEqual(["unchanged", "SOP-0002", 1]);
    expect(await run(user, path, at(later))).toEqual(["update", "SOP-0002", 2]);
    expect(await run(user, path, at(last), copy)).toEqual(["update", "SOP-0002", 3]);
    expect(await read(user, "SOP-0001")).toMatchObject({ version: 2 });

    // a change of the copy here is not taken back unseen
    const { id: copied } = await user.client.sops.get({ params: { id: "SOP-0002" } });
    await user.client.sops.update({ params: { id: copied }, body: { markdown: `${last}\nChanged here.\n` } });
    expect(await run(user, path, at(later))).toEqual(["conflict", "SOP-0002", 4]);
    expect(await run(user, path, at(later), { onConflict: "theirs" })).toEqual(["update", "SOP-0002", 5]);
    expect(await read(user, "SOP-0001")).toMatchObject({ version: 2 });
  });

  test("is no copy for others, who have their own file at the path", async () => {
    const { company, user } = await start("mill.md");
    const other = await company.user("manager");
    expect(await run(user, "mill.md", changed, copy)).toEqual(["create", 1]);
    expect((await run(other, "mill.md", later))?.slice(0, 2)).not.toEqual(["update", "SOP-0002"]);
    expect(await run(other, "mill.md", first)).toEqual(["unchanged", "SOP-0001", 2]);
    expect(await read(user, "SOP-0002")).toMatchObject({ version: 1 });
  });

  test("leaves other files with the id to their SOP, and so a new export at its path", async () => {
    const { user, id } = await start("mill.md");
    const at = exportsOf(id);
    expect(await run(user, "copy.md", at(1, changed), copy)).toEqual(["create", 1]);
    expect((await run(user, "other.md", at(1, later)))?.slice(0, 2)).toEqual(["conflict", "SOP-0001"]);
    expect(await run(user, "other.md", at(2, later))).toEqual(["update", "SOP-0001", 3]);
    expect(await run(user, "copy.md", at(3, last))).toEqual(["update", "SOP-0001", 4]);
    expect(await read(user, "SOP-0002")).toMatchObject({ version: 1 });
  });

  test("goes on as the copy of the version that was copied, and of no other", async () => {
    const { user, id } = await start("mill.md");
    const at = exportsOf(id);
    expect(await run(user, "mill.md", at(1, changed), copy)).toEqual(["create", 1]);
    await user.client.sops.update({ params: { id }, body: { markdown: text("Stop it.", "Brush it.", "Dry it.") } });
    expect(await run(user, "mill.md", at(2, later))).toEqual(["conflict", "SOP-0001", 3]);
    expect(await run(user, "mill.md", at(1, last))).toEqual(["update", "SOP-0002", 2]);
    expect(await run(user, "mill.md", at(2, later), copy)).toEqual(["create", 1]);
    expect(await run(user, "mill.md", at(2, last))).toEqual(["update", "SOP-0003", 2]);
    expect(await read(user, "SOP-0001")).toMatchObject({ version: 3 });
  });

  test("of another server stays the copy in later versions of that server", async () => {
    const { user } = await start("mill.md");
    const at = (version: number, words: string) =>
      `---\nid: ${unknownId}\nsop: SOP-0001\nversion: ${version}\n---\n\n${words}`;
    expect(await run(user, "mill.md", at(4, changed), copy)).toEqual(["create", 1]);
    expect(await run(user, "mill.md", at(5, later))).toEqual(["update", "SOP-0002", 2]);
  });

  test("gives its copy no text of another SOP whose file is at its path now", async () => {
    const { user, id } = await start("mill.md");
    const ofSop = (sop: string, number: string, words: string) =>
      `---\nid: ${sop}\nsop: ${number}\nversion: 1\n---\n\n${words}`;
    expect(await run(user, "copy.md", ofSop(id, "SOP-0001", changed), copy)).toEqual(["create", 1]);
    const body = { title: "Clean the mill", description: "D", markdown: first };
    const other = await user.client.sops.create({ body });
    await user.client.sops.update({ params: { id: other.id }, body: { markdown: changedHere } });
    expect((await run(user, "copy.md", ofSop(other.id, "SOP-0003", later)))?.slice(0, 2)).toEqual([
      "conflict",
      "SOP-0003",
    ]);
    expect(await read(user, "SOP-0002")).toMatchObject({ version: 1 });
  });

  test("is found by its bytes for its user alone", async () => {
    const { company, user } = await start("mill.md");
    const other = await company.user("manager");
    expect(await run(user, "mill.md", changed, copy)).toEqual(["create", 1]);
    const ofFile = async (asker: TestUser, path: string) => {
      const { text: _, ...hashed } = file(path, changed);
      const body = { importId: randomUUID(), documents: [hashed], dryRun: true };
      return (await asker.client.sops.import({ body })).results.map(({ outcome, number, id }) => [
        outcome,
        number,
        id,
      ])[0];
    };
    const { id: copied } = await user.client.sops.get({ params: { id: "SOP-0002" } });
    expect(await ofFile(user, "mill.md")).toEqual(["unchanged", "SOP-0002", copied]);
    expect(await ofFile(user, "elsewhere.md")).toEqual(["unknown", undefined, copied]);
    for (const path of ["mill.md", "elsewhere.md"]) {
      const [outcome, number, id] = (await ofFile(other, path)) ?? [];
      expect([path, outcome, number, id === copied]).toEqual([path, "unknown", undefined, false]);
    }
  });

  test.each([
    ["no keys", () => ""],
    ["the id and version of the SOP", (id: string) => `---\nid: ${id}\nsop: SOP-0001\nversion: 1\n---\n\n`],
  ])("and has %s stays the copy once its first SOP is deleted, also with its old bytes", async (_, head) => {
    const { user, id } = await start("mill.md");
    const at = (words: string) => head(id) + words;
    expect(await run(user, "mill.md", at(changed), copy)).toEqual(["create", 1]);
    await user.client.sops.remove({ params: { id } });
    expect(await run(user, "mill.md", at(first))).toEqual(["update", "SOP-0002", 2]);
    expect(await run(user, "mill.md", at(later))).toEqual(["update", "SOP-0002", 3]);
  });

  test("goes on with its first SOP once the copy is deleted", async () => {
    const { user } = await start("mill.md");
    await run(user, "mill.md", changed, copy);
    const { id } = await user.client.sops.get({ params: { id: "SOP-0002" } });
    await user.client.sops.remove({ params: { id } });
    expect((await run(user, "mill.md", later))?.slice(0, 2)).toEqual(["conflict", "SOP-0001"]);
  });
});
