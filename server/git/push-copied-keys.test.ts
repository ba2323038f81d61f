/** Pushed files that have the keys or the text of another SOP: no SOP gets the text of a file that isn't its own. */
import { readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gitFolder } from "../../test/git.ts";
import { gitWriter } from "../../test/git-writer.ts";
import { isNightly } from "../../test/nightly.ts";
import { describeServer, type TestUser } from "../../test/server.ts";

const folder = "sops/uncategorized";
const rinse = `${folder}/sop-0001-rinse-the-mill.md`;
const oil = `${folder}/sop-0002-oil-the-press.md`;
const steps = {
  rinse:
    "## Steps\n\n1. Rinse both bowls with cold water.\n2. Dry the lid with a clean cloth.\n3. Close the drain valve.\n",
  oil: "## Steps\n\n1. Lift the guard of the press.\n2. Put nine drops on each bearing.\n3. Lower the guard until it clicks.\n",
};
const idLine = /^id: .*\n/m;
const keys = /^(?:sop|id|version): .*\n/gm;
const bodyOf = (text: string) => text.replace(/^---\n[^]*?\n---\n\n/, "");

describeServer("pushed files with copied keys", (server) => {
  let dir = "";
  let remove = () => {};
  beforeEach(() => ({ dir, remove } = gitFolder()));
  afterEach(() => remove());
  const { publish, clone, edit, write, commit, push } = gitWriter(server, () => dir);
  const read = (at: string, file: string) => readFileSync(path.join(at, file), "utf8");
  const textOf = async (user: TestUser, id: string) => (await user.client.sops.get({ params: { id } })).markdown;
  const sameSop = (other: string) =>
    `refused. It names the same SOP as ${other}. Delete one of them, or remove sop, id and version from the new SOP`;

  async function twoSops() {
    const company = await server().company();
    const manager = await company.user("manager");
    const ids = [
      await publish(manager, "Rinse the mill", steps.rinse),
      await publish(manager, "Oil the press", steps.oil),
    ] as const;
    return { company, manager, ids, at: await clone(company, manager) };
  }

  test.each([
    ["with the original unchanged", false, (text: string) => text],
    ["with the original edited too", true, (text: string) => text],
    ["with the id in other quotes", true, (text: string) => text.replace(/^id: "(.*)"$/m, "id: $1")],
  ])("refuse the copy and its changed original, %s", async (_, isEdited, rewrite) => {
    const { manager, ids, at } = await twoSops();
    const copy = `${folder}/a-copy.md`;
    write(at, copy, rewrite(read(at, rinse)).replace("cold", "hot"));
    if (isEdited) edit(at, rinse, "clean cloth", "dry cloth");
    await commit(at);
    expect(await push(at)).toMatchObject({
      code: 1,
      remote: [`${copy}: ${sameSop(rinse)}`, ...(isEdited ? [`${rinse}: ${sameSop(copy)}`] : [])],
    });
    expect(await textOf(manager, ids[0])).toBe(steps.rinse);

    // the advice: the copy is a new SOP without the keys, or the file of the SOP once the original is deleted
    if (isEdited) edit(at, copy, keys, "");
    else rmSync(path.join(at, rinse));
    await commit(at);
    expect((await push(at)).remote).toContain(
      isEdited ? `${copy}: new draft SOP-0003` : `${copy}: draft v2 on top of v1 of SOP-0001`,
    );
    expect(await textOf(manager, ids[0])).toContain(isEdited ? "dry cloth" : "hot water");
  });

  test("refuse a copy over the file of another SOP, and propose no archive of a moved and copied one", async () => {
    const { manager, ids, at } = await twoSops();
    write(at, oil, read(at, rinse).replace("cold", "hot"));
    await commit(at);
    expect((await push(at)).remote).toEqual([`${oil}: ${sameSop(rinse)}`]);
    renameSync(path.join(at, rinse), path.join(at, folder, "moved.md"));
    await commit(at);
    expect((await push(at)).remote).toEqual([
      `${folder}/moved.md: ${sameSop(oil)}`,
      `${oil}: ${sameSop(`${folder}/moved.md`)}`,
    ]);
    expect([await textOf(manager, ids[0]), await textOf(manager, ids[1])]).toEqual([steps.rinse, steps.oil]);
  });

  test("propose no archive of an SOP whose moved file is refused", async () => {
    const { at } = await twoSops();
    const moved = `${folder}/moved.md`;
    renameSync(path.join(at, rinse), path.join(at, moved));
    edit(at, moved, "template: false", "template: maybe");
    await commit(at);
    const { remote } = await push(at);
    expect([remote.length, remote[0]]).toEqual([1, expect.stringContaining(`${moved}: refused. line`)]);
  });

  test("refuse a copy that kept the number and version only, and take its original", async () => {
    const { manager, ids, at } = await twoSops();
    const copy = `${folder}/a-copy.md`;
    write(at, copy, read(at, rinse).replace(idLine, "").replace("cold", "hot"));
    await commit(at);
    expect((await push(at)).remote).toEqual([`${copy}: ${sameSop(rinse)}`]);
    expect(await textOf(manager, ids[0])).toBe(steps.rinse);
    edit(at, rinse, "clean cloth", "dry cloth");
    await commit(at);
    expect((await push(at)).remote).toEqual([
      `${copy}: ${sameSop(rinse)}`,
      `${rinse}: draft v2 on top of v1 of SOP-0001`,
      `  ${server().url}/sop/SOP-0001`,
    ]);
  });

  test.each(["a-copy.md", "z-copy.md"])(
    "store no %s with the number and an old version as a proposal",
    async (name) => {
      const { manager, ids, at } = await twoSops();
      const markdown = steps.rinse.replace("cold", "warm");
      await manager.client.sops.update({ params: { id: ids[0] }, body: { markdown } });
      edit(at, rinse, "clean cloth", "dry cloth");
      await commit(at);
      expect((await push(at)).remote.join("\n")).toContain("proposal 1");
      const copy = `${folder}/${name}`;
      write(at, copy, read(at, rinse).replace(idLine, "").replace("cold", "hot"));
      await commit(at);
      for (const isEdited of [false, true]) {
        if (isEdited) edit(at, rinse, "drain valve", "outlet");
        await commit(at);
        const { remote } = await push(at);
        expect(remote).toContain(`${copy}: ${sameSop(rinse)}`);
        expect(remote.join("\n").includes("proposal 2")).toBe(isEdited);
        const { data } = await manager.client.proposals.list();
        expect(data.map(({ number }) => number)).toEqual([isEdited ? 2 : 1]);
      }
      // a document of its own that has the number by mistake stops no one
      write(at, copy, "---\nsop: SOP-0001\nversion: 1\ntitle: Grease the belt\n---\n\nGrease it.\n");
      edit(at, rinse, "outlet", "valve");
      await commit(at);
      const { remote } = await push(at);
      expect(remote.filter((line) => line.startsWith(copy)).join("")).toMatch(/: conflict/);
      expect(remote.join("\n")).toContain("proposal 3");
    },
  );

  test("store no text of another document as a proposal to the SOP whose number it has", async () => {
    const { company, manager } = await twoSops();
    const reader = await company.user("contributor");
    const at = await clone(company, reader, "reader");
    edit(at, rinse, "cold", "hot");
    write(at, `${folder}/belt.md`, "---\nsop: SOP-0002\ntitle: Grease the belt\n---\n\nGrease it.\n");
    await commit(at);
    await push(at);
    const { data } = await manager.client.proposals.list();
    expect(data.map(({ sop }) => sop?.number)).toEqual(["SOP-0001"]);
  });

  test("take ids in the text of a document for text", async () => {
    const { at } = await twoSops();
    const note = `${folder}/keys.md`;
    write(
      at,
      note,
      `---\ntitle: Keys of a file\n---\n\nA file begins with keys:\n\n\`\`\`yaml\n${/^id: .*$/m.exec(read(at, rinse))?.[0]}\n\`\`\`\n`,
    );
    edit(at, rinse, "cold", "hot");
    renameSync(path.join(at, oil), path.join(at, folder, "oil.md"));
    edit(at, `${folder}/oil.md`, "nine", "ten");
    await commit(at);
    const { code, remote } = await push(at);
    expect([code, remote.filter((line) => !line.startsWith("  "))]).toEqual([
      0,
      [
        `${note}: new draft SOP-0003`,
        `${folder}/oil.md: draft v2 on top of v1 of SOP-0002`,
        `${rinse}: draft v2 on top of v1 of SOP-0001`,
      ],
    ]);
  });

  test("name the SOP whose text a file without keys has, and not only the one of its path", async () => {
    const { company, manager, ids, at } = await twoSops();
    const [first, second] = [read(at, rinse).replace(keys, ""), read(at, oil).replace(keys, "")];
    const likeOther = (own: string, other: string) =>
      `refused. It was the file of ${own}, but resembles ${other}, and has no id. Put back sop and id of the SOP that it is, or give a new SOP another path`;
    for (const [turn, change] of [
      (text: string) => text,
      (text: string) => text.replace("cold", "hot").replace("nine", "ten"),
      (text: string) => bodyOf(text).replace("cold", "hot").replace("nine", "ten"),
    ].entries()) {
      write(at, rinse, change(second));
      write(at, oil, change(first));
      await commit(at);
      expect([turn, (await push(at)).remote]).toEqual([
        turn,
        [`${rinse}: ${likeOther("SOP-0001", "SOP-0002")}`, `${oil}: ${likeOther("SOP-0002", "SOP-0001")}`],
      ]);
    }
    // its own text still gets its own keys
    const other = await clone(company, manager, "other");
    edit(other, rinse, keys, "");
    edit(other, rinse, "cold", "hot");
    await commit(other);
    expect((await push(other)).remote).toEqual([
      `${rinse}: refused. It was the file of SOP-0001 and lost its id. Put back sop: "SOP-0001" and id: "${ids[0]}", or give a new SOP another path`,
    ]);
  });

  test("that keep their keys and swap their texts are updates, with a note", async () => {
    const { manager, ids, at } = await twoSops();
    const [first, second] = [read(at, rinse), read(at, oil)];
    write(at, rinse, first.replace(bodyOf(first), bodyOf(second)));
    write(at, oil, second.replace(bodyOf(second), bodyOf(first)));
    await commit(at);
    expect((await push(at)).remote).toEqual([
      `${rinse}: draft v2 on top of v1 of SOP-0001`,
      `  ${server().url}/sop/SOP-0001`,
      "  It has the text of SOP-0002",
      `${oil}: draft v2 on top of v1 of SOP-0002`,
      `  ${server().url}/sop/SOP-0002`,
      "  It has the text of SOP-0001",
    ]);
    expect([await textOf(manager, ids[0]), await textOf(manager, ids[1])]).toEqual([steps.oil, steps.rinse]);
    write(at, rinse, read(at, rinse).replace(steps.oil, steps.rinse.replace("cold", "hot")));
    write(at, oil, read(at, oil).replace(steps.rinse, steps.oil.replace("nine", "ten")));
    await commit(at);
    const { remote } = await push(at);
    expect(remote.filter((line) => line.startsWith("  It"))).toEqual([
      "  It has most of the text of SOP-0002",
      "  It has most of the text of SOP-0001",
    ]);
  });

  test("give an SOP a text only from the one file with its id, after copies, moves and swaps", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    const numbers = [1, 2, 3, 4];
    const ids: string[] = [];
    for (const at of numbers)
      ids.push(await publish(manager, `Serve line ${at}`, `## Steps\n\n1. Start line ${at}.\n2. Stop it.\n`));
    const index = fc.integer({ min: 0, max: numbers.length - 1 });
    const change = fc.record({
      kind: fc.constantFrom("copy", "copy over", "copy number", "swap", "move", "edit", "delete"),
      from: index,
      to: index,
      isEdited: fc.boolean(),
    });
    // each clone takes one of 50 tokens
    let round = 0;
    const property = fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      round++;
      remove();
      ({ dir, remove } = gitFolder());
      const at = await clone(company, manager);
      const paths = numbers.map((number) => `${folder}/sop-000${number}-serve-line-${number}.md`);
      const cloned = new Map(paths.map((name) => [name, read(at, name)]));
      const files = new Map(cloned);
      let edits = 0;
      const put = (name: string, text: string, isEdited: boolean) =>
        files.set(name, isEdited ? text.replace("Stop it", `Stop it ${round}.${++edits}`) : text);
      for (const { kind, from, to, isEdited } of changes) {
        const [one = "", other = ""] = [paths[from], paths[to]];
        const [text, second] = [files.get(one), files.get(other)];
        if (text === undefined) continue;
        const fresh = `${folder}/${"az"[edits % 2]}-${round}-${++edits}.md`;
        if (kind === "copy") put(fresh, text, isEdited);
        if (kind === "copy over") put(other, text, isEdited);
        if (kind === "copy number") put(fresh, text.replace(idLine, ""), isEdited);
        if (kind === "edit") put(one, text, true);
        if (kind === "move" || kind === "delete") files.delete(one);
        if (kind === "move") put(fresh, text, isEdited);
        if (kind === "swap" && second !== undefined) {
          put(one, second, isEdited);
          put(other, text, isEdited);
        }
      }
      for (const name of new Set([...cloned.keys(), ...files.keys()])) {
        const text = files.get(name);
        if (text === undefined) rmSync(path.join(at, name));
        else write(at, name, text);
      }
      await commit(at);
      const before = await Promise.all(ids.map((id) => textOf(manager, id)));
      const { remote } = await push(at);
      const said = remote.join("\n");
      for (const [place, id] of ids.entries()) {
        const own = [...files].filter(([, text]) => text.includes(`id: "${id}"`));
        const numbered = [...files].filter(([, text]) => text.includes(`sop: "SOP-000${place + 1}"`));
        const now = await textOf(manager, id);
        const [only] = own;
        if (own.length === 1 && only !== undefined) expect([said, now]).toEqual([said, bodyOf(only[1])]);
        else if (own.length > 1) expect([said, now]).toEqual([said, before[place]]);
        else expect([before[place], ...numbered.map(([, text]) => bodyOf(text))]).toContain(now);
        if (own.length > 1)
          for (const [name, text] of own)
            if (cloned.get(name) !== text) expect(said).toContain(`${name}: refused. It names the same SOP as`);
        if (now !== before[place]) await manager.client.sops.publish({ params: { id }, body: {} });
      }
    });
    await fc.assert(property, { numRuns: isNightly ? 45 : 12, endOnFailure: true });
  }, 600_000);
});
