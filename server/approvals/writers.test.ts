/** Who wrote a word since the last published version can't approve it. */
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import fc from "fast-check";
import { distinctWriters, writerIdsOf } from "#core/approvals/writers.ts";
import { newId } from "#core/ids.ts";
import { gitFolder, git } from "../../test/git.ts";
import { gitWriter } from "../../test/git-writer.ts";
import { propose } from "../../test/propose.ts";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";

describeServer("authors of words", (server) => {
  let company: Company;
  let boss: TestUser;
  let [ann, ben, cleo, dan]: TestUser[] = [];
  let dir = "";
  let remove = () => {};

  beforeEach(async () => {
    ({ dir, remove } = gitFolder());
    company = await server().company();
    boss = await company.user("company_admin", { name: "Bea Boss" });
    [ann, ben, cleo, dan] = [
      await company.user("manager", { name: "Ann" }),
      await company.user("manager", { name: "Ben" }),
      await company.user("manager", { name: "Cleo" }),
      await company.user("manager", { name: "Dan" }),
    ];
  });
  afterEach(() => remove());
  const people = () => [ann, ben, cleo, dan] as [TestUser, TestUser, TestUser, TestUser];

  const create = async (by: TestUser, markdown = "One\n", more: object = {}) =>
    (await by.client.sops.create({ body: { title: "Rinse", description: "D", markdown, ...more } })).id;
  const save = async (by: TestUser, id: string, markdown: string) =>
    (await by.client.sops.update({ params: { id }, body: { markdown } })).version;
  const publish = (by: TestUser, id: string) => by.client.sops.publish({ params: { id }, body: {} });
  const restore = async (by: TestUser, id: string, version: number) =>
    (await by.client.sops.restore({ params: { id, version }, body: {} })).version;
  const importFile = async (by: TestUser, id: string, version: number, markdown: string, onConflict: string) => {
    const text = `---\nid: "${id}"\nversion: ${version}\ntitle: "Rinse"\ndescription: "D"\n---\n\n${markdown}`;
    const sha256 = createHash("sha256").update(text).digest("hex");
    const documents = [{ path: "sops/rinse.md", sha256, text }];
    const body = { importId: newId(), documents, onConflict: onConflict as "theirs" };
    return (await by.client.sops.import({ body })).results[0];
  };
  const writers = async (id: string) => {
    const { people: found } = await boss.client.approvals.candidates({ params: { id } });
    return found.flatMap(({ name, reason }) => (reason === "writer" ? [name] : [])).sort();
  };
  const refusal = (by: TestUser, id: string, approver: TestUser) =>
    by.client.sops.requestApproval({ params: { id }, body: { approverIds: [approver.id] } }).then(
      () => "asked",
      (error: { details?: Record<string, string> }) => error.details?.["approverIds.0"],
    );
  const cannot = "An author since the last published version can't approve";

  describe("a proposal", () => {
    test.each(["accept", "merge"] as const)("(%s) has the words of its author, who can't approve them", async (way) => {
      const [author, decider] = people();
      const id = await create(boss);
      await publish(boss, id);
      const { services } = server().running;
      const number = await propose(services, author, { id, version: 1, title: "Rinse", markdown: "One\n\nTwo\n" });
      const params = { id: String(number) };
      if (way === "accept") await decider.client.proposals.accept({ params });
      else {
        const body = { markdown: "One\n\nTwo\n", version: 1, fields: [] };
        await decider.client.proposals.merge({ params, body });
      }
      expect(await writers(id)).toEqual(["Ann", "Ben"]);
      expect(await refusal(decider, id, author)).toBe(cannot);
      // a later version changes nothing about that
      await save(decider, id, "One\n\nTwo.\n");
      expect(await refusal(decider, id, author)).toBe(cannot);
      const events = await server().db.collection("repo_events").find({ companyId: company.id, type: "import" });
      expect(events.map(({ coAuthors }) => coAuthors)).toEqual([[{ userId: author.id, name: expect.any(String) }]]);
    });

    test("dismissed, and pasted by another user, has the words of its author", async () => {
      const [author, decider, saver] = people();
      const id = await create(boss);
      await publish(boss, id);
      const words = "Open the drain valve slowly, then wait until the pressure is zero.";
      const file = { id, version: 1, title: "Rinse", markdown: `One\n\n${words}\n` };
      const number = await propose(server().running.services, author, file);
      await decider.client.proposals.dismiss({ params: { id: String(number) }, body: { reason: "Later" } });
      await save(saver, id, `One\n\n${words.replace(",", "")}\n`);
      expect(await writers(id)).toEqual(["Ann", "Cleo"]);
    });

    test("for a new SOP has its author's words too", async () => {
      const [author, decider] = people();
      const number = await propose(server().running.services, author, { markdown: "New\n" });
      await decider.client.proposals.accept({ params: { id: String(number) } });
      const [made] = (await boss.client.sops.list()).data;
      expect(await writers(made?.id ?? "")).toEqual(["Ann", "Ben"]);
    });
  });

  describe("a restored version", () => {
    test("has the words of its author, who can't approve them", async () => {
      const [author, other] = people();
      const id = await create(boss);
      await save(author, id, "Two\n");
      await save(other, id, "Three\n");
      await publish(other, id);
      await restore(other, id, 2);
      expect(await refusal(other, id, author)).toBe(cannot);
      expect(await writers(id)).toEqual(["Ann", "Ben"]);
    });

    test("has the words of all who wrote it, also if it was restored or merged itself", async () => {
      const [author, proposer, other, presses] = people();
      const id = await create(author);
      const { services } = server().running;
      const number = await propose(services, proposer, { id, version: 1, title: "Rinse", markdown: "One, two\n" });
      await other.client.proposals.accept({ params: { id: String(number) } });
      await save(boss, id, "Other\n");
      await publish(boss, id);
      await restore(boss, id, 2);
      await save(boss, id, "Another\n");
      await publish(boss, id);
      await restore(presses, id, 4);
      expect(await writers(id)).toEqual(["Ann", "Ben", "Cleo", "Dan"]);
    });

    test("leaves others able to approve where it is the published text", async () => {
      const [author, other] = people();
      const id = await create(author);
      await publish(author, id);
      await save(other, id, "Two\n");
      await restore(boss, id, 1);
      expect(await writers(id)).toEqual(["Ben"]);
    });

    test("leaves its author able to approve if it has the words of the published text", async () => {
      const [author, other, another] = people();
      const id = await create(author);
      await save(other, id, "Two\n");
      await restore(boss, id, 1);
      await publish(boss, id);
      await save(another, id, "Three\n");
      await restore(boss, id, 1);
      expect(await writers(id)).toEqual(["Cleo"]);
      // a newer version with other words doesn't hide an older one
      await restore(boss, id, 2);
      expect(await writers(id)).toEqual(["Ann", "Ben", "Cleo"]);
      await restore(boss, id, 1);
      expect(await writers(id)).toEqual(["Ann", "Ben", "Cleo"]);
    });
  });

  describe("an older text that is saved again", () => {
    const old = "Open the drain valve slowly, then wait until the pressure is zero.";
    test.each([
      ["as it was", old],
      ["with more words", `Before the start:\n\n1. ${old}\n2. Call the office.`],
      ["without its comma", old.replace(",", "")],
      ["without its period", old.replace(".", "")],
      ["in capitals", old.toUpperCase()],
      ["with one small letter", old.replace("Open", "open")],
      ["with a space that doesn't break", old.replace(" drain", "\u00a0drain")],
      ["with two spaces", old.replace(" drain", "  drain")],
      ["with bold words", old.replace("drain valve", "**drain** _valve_")],
      ["with a link", old.replace("drain valve", "[drain valve](https://plant.example)")],
      ["on two lines", old.replace(" then", "\nthen")],
      ["in two paragraphs", old.replace(", then", ".\n\nThen")],
      ["with hidden hyphens", old.replace("pressure", "pres\u00adsure")],
      ["in wide letters", old.replace("Open", "Ｏｐｅｎ")],
      ["with another word", old.replace("slowly", "gently")],
      ["with two other words", old.replace("slowly", "gently").replace("zero", "gone")],
      [
        "in a longer sentence",
        `Make sure to ${old.replace("Open", "open").replace(".", ", and go on with the next step.")}`,
      ],
      ["in a table", `| Step | Work |\n| --- | --- |\n| 1 | ${old} |`],
    ])("(%s) has the words of its author, who can't approve them", async (_, again) => {
      const [author, other, saver] = people();
      const id = await create(author, `Wear a helmet in the hall.\n\n${old}\n`);
      await save(other, id, "Wear a helmet in the hall.\n\nThe machine stops by itself after a minute.\n");
      await publish(boss, id);
      await save(saver, id, `Wear a helmet in the hall.\n\nThe machine stops by itself after a minute.\n\n${again}\n`);
      expect(await refusal(saver, id, author)).toBe(cannot);
      expect(await writers(id)).toEqual(["Ann", "Cleo"]);
    });

    test.each([
      ["a phrase that anyone writes", "Wear gloves.", "Wear gloves."],
      [
        "a heading",
        "## Responsibilities of all the people in the hall",
        "## Responsibilities of all the people in the hall",
      ],
      [
        "a table's head",
        "| Step of the work | Who does it |\n| --- | --- |\n| 1 | Bob |",
        "| Step of the work | Who does it |\n| --- | --- |\n| 2 | Eve |",
      ],
      [
        "the same subject",
        "Open the drain valve slowly, then wait.",
        "The drain valve opens by itself when the pressure falls.",
      ],
    ])("(%s) bars no one", async (_, before, after) => {
      const [author, other, saver] = people();
      const id = await create(author, `One\n\n${before}\n`);
      await save(other, id, "Three\n");
      await publish(boss, id);
      await save(saver, id, `Three\n\n${after}\n`);
      expect(await writers(id)).toEqual(["Cleo"]);
    });

    test("(a sentence that another SOP published, or a template has) bars no one", async () => {
      const [author, other, saver] = people();
      const shared = "This document is controlled only in its electronic form.";
      const templates = [...server().running.services.templates.values()];
      const [sentence = ""] = templates.flatMap(({ markdown }) => /^[A-Z][^\n.]{40,}\.$/m.exec(markdown) ?? []);
      expect(sentence).not.toBe("");
      await publish(boss, await create(boss, `Another text.\n\n${shared}\n`));
      const id = await create(author, `One\n\n${shared}\n\n${sentence}\n`);
      await save(other, id, "Three\n");
      await publish(boss, id);
      await save(saver, id, `Three\n\n${shared}\n\n${sentence}\n`);
      expect(await writers(id)).toEqual(["Cleo"]);
    });

    test("(a sentence that the published one changed) bars only who changes it again", async () => {
      const [author, other, saver] = people();
      const id = await create(author, `One\n\n${old}\n`);
      await save(other, id, `One\n\n${old.replace("slowly", "gently")}\n`);
      await publish(boss, id);
      await save(saver, id, `One\n\n${old.replace("slowly", "softly")}\n`);
      expect(await writers(id)).toEqual(["Cleo"]);
    });

    test("bars no one from what was published", async () => {
      const [author, other, saver] = people();
      const id = await create(author, "One\n\nTwo\n");
      await publish(boss, id);
      await save(other, id, "One\n\nTwo\n\nThree\n");
      await publish(boss, id);
      await save(saver, id, "## Steps\n\nOne\n\nThree\n");
      expect(await writers(id)).toEqual(["Cleo"]);
    });
  });

  describe("the same text in another SOP", () => {
    const importNew = async (by: TestUser, markdown: string) => {
      const text = `---\ntitle: "Wash"\ndescription: "D"\n---\n\n${markdown}`;
      const documents = [{ path: "sops/wash.md", sha256: createHash("sha256").update(text).digest("hex"), text }];
      return (await by.client.sops.import({ body: { importId: newId(), documents } })).results[0]?.id ?? "";
    };
    test.each([
      ["sent", create],
      ["imported", importNew],
    ])("(%s) has the words of its first author, who can't approve them", async (_, make) => {
      const [author, other, copier] = people();
      const id = await create(author, "One\n\nTwo\n");
      await save(other, id, "One\n\nTwo\n\nThree\n");
      const made = await make(copier, "One\n\nTwo\n\nThree\n");
      expect(await refusal(copier, made, author)).toBe(cannot);
      // a later version changes nothing about that, nor does a later copy of it
      await save(copier, made, "One\n\nTwo\n\nFour\n");
      await server().clock.advance(1000);
      await make(people()[3], "One\n\nTwo\n\nFour\n");
      expect(await writers(made)).toEqual(["Ann", "Ben", "Cleo"]);
    });

    const draft = [
      "Open the drain valve slowly, then wait until the pressure is zero.",
      "Rinse the vessel twice with warm water and check the filter.",
      "Write the weight of the filter into the batch record.",
    ].join("\n\n");
    test.each([
      ["with one more line", `${draft}\n\nCall the office when you are done with all of it.\n`],
      ["without its last line", draft.split("\n\n").slice(0, 2).join("\n\n")],
      ["as steps with other words", draft.replace(/^/gm, "1. ").replace("slowly", "gently").replace("twice", "again")],
    ])("(nearly, %s) has the words of its author, who can't approve them", async (_, copy) => {
      const [author, , copier] = people();
      await create(author, `${draft}\n`);
      expect(await writers(await create(copier, copy))).toEqual(["Ann", "Cleo"]);
      expect(await writers(await importNew(copier, copy))).toEqual(["Ann", "Cleo"]);
    });

    test("bars no one where both come from one template", async () => {
      const [author, , copier] = people();
      const [template] = [...server().running.services.templates.values()];
      await create(author, `${template?.markdown}\nThe vessel in the north hall is rinsed each morning.\n`);
      const made = await create(copier, `${template?.markdown}\nA fork lift carries no more than two tons of sand.\n`);
      expect(await writers(made)).toEqual(["Cleo"]);
    });

    test("bars no one once it was published, nor anyone of another company", async () => {
      const [author, , copier] = people();
      const foreign = await (await server().company()).user("manager", { name: "Ann" });
      await create(foreign, "One\n\nTwo\n");
      await publish(boss, await create(author, "One\n\nTwo\n"));
      expect(await writers(await create(copier, "One\n\nTwo\n"))).toEqual(["Cleo"]);
    });
  });

  test("an imported file brings the words of the version that it was made from", async () => {
    const [author, other, importer] = people();
    const id = await create(boss);
    await save(author, id, "Two\n");
    await save(other, id, "Three\n");
    await publish(other, id);
    expect(await importFile(importer, id, 2, "Two, again\n", "theirs")).toMatchObject({ outcome: "update" });
    expect(await writers(id)).toEqual(["Ann", "Cleo"]);
  });

  describe("a copy", () => {
    test("of a draft has the words of its writers; what was published is settled", async () => {
      const [author, other, copier] = people();
      const id = await create(author);
      await save(other, id, "Two\n");
      expect(await writers(await create(copier, "Two\n", { copyOf: id }))).toEqual(["Ann", "Ben", "Cleo"]);
      await publish(boss, id);
      expect(await writers(await create(copier, "Two\n", { copyOf: id }))).toEqual(["Cleo"]);
      await save(author, id, "Three\n");
      expect(await writers(await create(copier, "Three\n", { copyOf: id }))).toEqual(["Ann", "Cleo"]);
    });

    test("says nothing about an SOP that its creator can't see", async () => {
      const [author] = people();
      const foreign = await (await server().company()).user("manager");
      const id = await create(author);
      const made = await foreign.client.sops.create({
        body: { title: "T", description: "D", markdown: "M\n", copyOf: id },
      });
      const stored = await server().db.collection("sop_versions").findOne({ sopId: made.id });
      expect(stored).not.toHaveProperty("writers");
    });

    test("by an import has the words of the SOP that it was made from", async () => {
      const [author, other, importer] = people();
      const id = await create(author);
      await save(other, id, "One\n\nTwo\n");
      await save(other, id, "One\n\nThree\n");
      const made = await importFile(importer, id, 2, "One\n\nTwo!\n", "copy");
      expect(made).toMatchObject({ outcome: "create" });
      expect(await writers(made?.id ?? "")).toEqual(["Ann", "Ben", "Cleo"]);
    });
  });

  describe("names in pushed commits", () => {
    const file = "sops/uncategorized/sop-0001-rinse-the-mill.md";
    const addressOf = ({ id }: TestUser) => `${id}@users.invalid`;
    const named = ({ id }: TestUser) => `Co-authored-by: Someone <${id}@users.invalid>`;

    /** Two commits of the pusher: one in the name of another author, one with a trailer. */
    async function pushed(pusher: TestUser, author: TestUser, coAuthor: TestUser) {
      const writer = gitWriter(server, () => dir);
      const id = await writer.publish(boss, "Rinse the mill", "One\n");
      const at = await writer.clone(company, pusher);
      writer.edit(at, file, "One", "One, two");
      await git(at, "add", "-A");
      await git(at, "commit", "-q", `--author=Someone <${addressOf(author)}>`, "-m", "Two");
      writer.edit(at, file, "One, two", "One, two, three");
      await writer.commit(at, `Three\n\n${named(coAuthor)}`);
      expect((await writer.push(at)).code).toBe(0);
      return id;
    }

    test("bar no one: only the user who pushes is their author", async () => {
      const [pusher, author, helper] = people();
      const id = await pushed(pusher, author, helper);
      expect(await writers(id)).toEqual(["Ann"]);
      expect(await refusal(boss, id, author)).toBe("asked");
    });

    test("free no one: neither the user who pushes nor one whose words are there", async () => {
      const [pusher, author, other] = people();
      const id = await pushed(pusher, pusher, other);
      expect(await refusal(boss, id, pusher)).toBe(cannot);
      await save(author, id, "One, two, three, four\n");
      expect(await refusal(boss, id, author)).toBe(cannot);
      expect(await writers(id)).toEqual(["Ann", "Ben"]);
    });

    test("are in the record of the version and in its commit, as stated only", async () => {
      const [pusher, author, helper] = people();
      const id = await pushed(pusher, author, helper);
      const stored = await server().db.collection("sop_versions").findOne({ sopId: id, version: 2 });
      const printed = ({ username, id: userId }: TestUser, name: string) => ({
        id: userId,
        name: `${name} (${username})`,
        stated: true,
      });
      expect(new Set(stored?.writers)).toEqual(new Set([printed(author, "Ben"), printed(helper, "Cleo")]));
      await server().running.services.repositories.drain(company.id);
      const history = server().running.services.repositories.path(company.id);
      const message = (await git(history, "log", "-1", "--format=%B", "refs/heads/history")).toString();
      expect(message).not.toContain("Co-authored-by");
      expect(message).toMatch(
        new RegExp(`^Stated-author: Ben \\(${author.username}\\) <${author.id}@users.invalid>$`, "m"),
      );
    });

    test("of a proposal and of a copied draft stay stated", async () => {
      const [pusher, author, copier] = people();
      const id = await pushed(pusher, author, author);
      const copy = await create(copier, "One, two, three\n", { copyOf: id });
      expect(await writers(copy)).toEqual(["Ann", "Cleo"]);
    });

    test("count for one who wrote, whichever came first", () => {
      const [known, stated] = [
        { id: "a", name: "Ann" },
        { id: "a", name: "Ann", stated: true as const },
      ];
      for (const rows of [
        [known, stated],
        [stated, known],
      ]) {
        expect(distinctWriters(rows)).toEqual([known]);
        const version = { version: 2, changedBy: "b", restores: null, writers: rows };
        expect([...writerIdsOf([version])]).toEqual(["b", "a"]);
      }
      expect(distinctWriters([stated, stated])).toEqual([stated]);
    });
  });

  test("holds for random lives of an SOP", async () => {
    type Line = { word: string; by: TestUser };
    const moves = fc.record({
      kind: fc.constantFrom("save", "propose", "restore", "push", "publish"),
      who: fc.nat(2),
      whom: fc.nat(2),
      version: fc.nat(20),
      gone: fc.nat(3),
    });
    let found = 0;
    const life = async (row: readonly (typeof moves extends fc.Arbitrary<infer Move> ? Move : never)[]) => {
      const crew = people().slice(0, 3);
      let count = 0;
      const newLine = (by: TestUser): Line => ({
        word: `Clean part ${++count} with the brush number ${count} of set ${count * 7}.`,
        by,
      });
      const textOf = (lines: readonly Line[]) => `${lines.map(({ word }) => word).join("\n\n")}\n`;
      const texts: Line[][] = [[newLine(boss)]];
      const id = await create(boss, textOf(texts[0] ?? []));
      let published: readonly Line[] = [];
      for (const { kind, who, whom, version, gone } of row) {
        const [by, other] = [crew[who] ?? boss, crew[whom] ?? boss];
        const latest = texts.at(-1) ?? [];
        const old = version % texts.length;
        const changed = (lines: readonly Line[]) => [...lines.filter((_, index) => index !== gone), newLine(by)];
        if (kind === "save") {
          texts.push(changed(latest));
          await save(by, id, textOf(texts.at(-1) ?? []));
        } else if (kind === "restore" && old !== texts.length - 1) {
          texts.push(texts[old] ?? []);
          await restore(by, id, old + 1);
        } else if (kind === "push") {
          texts.push(changed(texts[old] ?? []));
          await importFile(by, id, old + 1, textOf(texts.at(-1) ?? []), "theirs");
        } else if (kind === "propose") {
          const lines = changed(texts[old] ?? []);
          const file = { id, version: old + 1, title: "Rinse", markdown: textOf(lines) };
          const number = await propose(server().running.services, by, file);
          const merged = [...new Set([...lines, ...latest.slice(gone)])];
          const body = { markdown: textOf(merged), version: texts.length, fields: [] };
          await other.client.proposals.merge({ params: { id: String(number) }, body });
          texts.push(merged);
        } else if (kind === "publish" && published !== latest) {
          await publish(boss, id);
          published = latest;
        }
        if (published === texts.at(-1)) continue;
        const fresh = (texts.at(-1) ?? []).filter((line) => !published.includes(line));
        const named = await writers(id);
        for (const line of fresh) if (line.by !== boss) expect(named).toContain(line.by.name);
        // one who wrote nothing can always approve
        expect(named).not.toContain("Dan");
        found += fresh.length;
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(moves, { minLength: 5, maxLength: 14 }), life), {
      numRuns: 12,
      seed: 83,
      endOnFailure: true,
    });
    expect(found).toBeGreaterThan(60);
  });
});
