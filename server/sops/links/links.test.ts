import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { fileTextOf } from "#core/markdown/front-matter.ts";
import { unknownId } from "../../../test/contract-rows.ts";
import { describeServer, type TestUser } from "../../../test/server.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describeServer("links between SOPs", (server) => {
  async function people() {
    const company = await server().company();
    const [admin, boss, reader] = [
      await company.user("company_admin"),
      await company.user("manager"),
      await company.user("viewer"),
    ];
    return { admin, boss, reader };
  }

  const create = (user: TestUser, title: string, markdown = "Text\n", status: "draft" | "published" = "published") =>
    user.client.sops.create({ body: { title, description: "D", markdown, status } });
  const shown = async (user: TestUser, id: string) => (await user.client.sops.get({ params: { id } })).content;
  const file = async (user: TestUser, id: string, version?: number) =>
    (await user.send({ path: `/api/sops/${id}/export?format=md${version ? `&version=${version}` : ""}` })).body;

  test("open an SOP by its number as by its id, and a hidden one as an unknown one", async () => {
    const { boss, reader } = await people();
    const open = await create(boss, "Open");
    const hidden = await create(boss, "Hidden", "Text\n", "draft");
    for (const number of [open.number, "sop-1", "SOP-00001"])
      expect((await reader.client.sops.get({ params: { id: number } })).id).toBe(open.id);
    const answers = [];
    for (const id of [hidden.number, hidden.id, "SOP-0099", unknownId]) {
      for (const path of [`/api/sops/${id}`, `/api/sops/${id}/links`]) {
        const { status, body } = await reader.send({ path });
        answers.push([status, (JSON.parse(body.toString()) as { code: string }).code]);
      }
    }
    expect(new Set(answers.map(String))).toEqual(new Set(["404,not_found"]));
  });

  test("are stored by number, whichever address was written", async () => {
    const { boss } = await people();
    const { id } = await create(boss, "Lock out");
    const { url } = server();
    const written = [`/sop/${id}`, "/sop/sop-1", `${url}/sop/${id}#steps`, "https://other.example/sop/SOP-0001"];
    const markdown = written.map((address) => `[a](${address})`).join(" ");
    const stored = (await create(boss, "From", `${markdown} \`/sop/${id}\`\n`)).markdown;
    expect(stored).toBe(
      `[a](/sop/SOP-0001) [a](/sop/SOP-0001) [a](/sop/SOP-0001#steps) [a](https://other.example/sop/SOP-0001) \`/sop/${id}\`\n`,
    );
  });

  test("follow the title that a reader sees, where their words were a title or the number", async () => {
    const { boss, reader } = await people();
    const target = await create(boss, "Old & <new>");
    const text = "[Old & \\<new>](/sop/SOP-0001) [SOP-0001](/sop/SOP-0001) [as before](/sop/SOP-0001#a)\n";
    const { id } = await create(boss, "From", text);
    const params = { id: target.id };
    await boss.client.sops.update({ params, body: { title: "Secret draft" } });
    const links = async (user: TestUser) =>
      [...(await shown(user, id)).matchAll(/<a href="([^"]+)"[^>]*>([^<]+)<\/a>/g)].map(([, , words]) => words);
    expect(await links(boss)).toEqual(["Secret draft", "Secret draft", "as before"]);
    const old = "Old &amp; &lt;new&gt;";
    expect(await links(reader)).toEqual([old, old, "as before"]);
    // a later save keeps what follows the title
    await boss.client.sops.update({ params: { id }, body: { markdown: `More.\n\n${text}` } });
    expect((await links(boss))[0]).toBe("Secret draft");
    const diff = await boss.client.sops.diff({ params: { id }, query: { from: 1, to: 2 } });
    expect(diff.blocks.map(({ html }) => html).join("")).toContain("Secret draft</a>");
    // the whole record sent back is no change
    const record = await boss.client.sops.get({ params: { id } });
    const again = await boss.client.sops.update({ params: { id }, body: { content: record.content, title: "From" } });
    expect(again.version).toBe(record.version);
    await boss.client.sops.unpublish({ params, body: {} });
    expect(await links(reader)).toEqual(["Old &#x26; &#x3C;new>", "SOP-0001", "as before"]);
  });

  test("to a hidden SOP look as those to none", async () => {
    const { boss, reader, admin } = await people();
    await admin.client.company.update({ body: { settings: { textRules: "off" } } });
    await create(boss, "Zanzibar", "Text\n", "draft");
    const { id } = await create(boss, "From", "[SOP-0001](/sop/SOP-0001) [SOP-0099](/sop/SOP-0099)\n");
    const content = await shown(reader, id);
    expect(content.replaceAll("0099", "0001").match(/<a [^>]+>[^<]+<\/a>/g)).toHaveLength(2);
    expect(new Set(content.replaceAll("0099", "0001").match(/<a [^>]+>[^<]+<\/a>/g)).size).toBe(1);
    for (const format of ["html", "json", "md"])
      expect((await reader.send({ path: `/api/sops/${id}/export?format=${format}` })).body).not.toContain("Zanzibar");
    expect((await file(reader, id)).toLowerCase()).not.toContain("zanzibar");
  });

  test("show no draft's title to those who can't read it", async () => {
    const { boss, reader } = await people();
    const draft = await create(boss, "Zanzibar", "Text\n", "draft");
    const text = "[Zanzibar](/sop/SOP-0001) [our plan](/sop/SOP-0001#a)\n";
    const { id } = await create(boss, "From", text);
    await boss.client.sops.update({ params: { id }, body: { markdown: `More.\n\n${text}` } });
    await boss.client.sops.publish({ params: { id }, body: {} });
    const params = { id };
    const words = (html: string) => [...html.matchAll(/<a [^>]+>([^<]+)<\/a>/g)].map(([, one]) => one);
    const seen = async ({ client }: TestUser) => {
      const shown = [(await client.sops.get({ params })).content];
      for (const version of [1, 2]) shown.push((await client.sops.version({ params: { id, version } })).content);
      return shown.map(words);
    };
    expect(await seen(boss)).toEqual(Array(3).fill(["Zanzibar", "our plan"]));
    expect(words(await shown(reader, id))).toEqual(["SOP-0001", "our plan"]);
    // a title that was published once is no secret
    await boss.client.sops.publish({ params: { id: draft.id }, body: {} });
    expect(words(await shown(reader, id))).toEqual(["Zanzibar", "our plan"]);
    await boss.client.sops.update({ params: { id: draft.id }, body: { title: "Mozambique" } });
    expect(words(await shown(boss, id))).toEqual(["Mozambique", "our plan"]);
    expect(words(await shown(reader, id))).toEqual(["Zanzibar", "our plan"]);
  });

  test("are listed at the SOP they lead to, and a draft's only for those who see the draft", async () => {
    const { boss, reader } = await people();
    const target = await create(boss, "Target");
    const params = { id: target.id };
    const from = await create(boss, "From", `[Target](/sop/${target.id})\n`);
    await create(boss, "Zanzibar", "[Target](/sop/SOP-0001)\n", "draft");
    await create(boss, "Later", "Nothing\n");
    const later = { id: "SOP-0004" };
    await boss.client.sops.update({ params: later, body: { markdown: "[Target](/sop/SOP-0001)\n" } });
    const rows = async (user: TestUser) => {
      const { data, total } = await user.client.sops.links({ params });
      expect(total).toBe(data.length);
      return data.map(({ number, title, draftOnly }) => `${number} ${title}${draftOnly ? " (draft)" : ""}`);
    };
    expect(await rows(boss)).toEqual(["SOP-0002 From", "SOP-0003 Zanzibar (draft)", "SOP-0004 Later (draft)"]);
    expect(await rows(reader)).toEqual(["SOP-0002 From"]);
    // the published version still has the link
    await boss.client.sops.update({ params: { id: from.id }, body: { markdown: "No more\n" } });
    expect(await rows(reader)).toEqual(["SOP-0002 From"]);
    await boss.client.sops.publish({ params: { id: from.id }, body: {} });
    expect(await rows(reader)).toEqual([]);
    await boss.client.sops.archive({ params: later, body: {} });
    expect(await rows(boss)).toEqual(["SOP-0003 Zanzibar (draft)"]);
  });

  test("are paths in the file, and the file comes back as it was", async () => {
    const { boss } = await people();
    const open = await create(boss, "Lock it out");
    await create(boss, "Zanzibar", "Text\n", "draft");
    const markdown = "[Lock it out](/sop/SOP-0001#steps) [b](/sop/SOP-0002) [c][ref]\n\n[ref]: /sop/SOP-0001\n";
    const from = await create(boss, "From", markdown);
    const text = await file(boss, from.id);
    const path = "../../sops/uncategorized/sop-0001-lock-it-out.md";
    expect(text).toContain(`[Lock it out](${path}#steps) [b](/sop/SOP-0002) [c][ref]\n\n[ref]: ${path}\n`);
    expect(sha256(text)).toBe(from.contentHash);
    const send = async (body: string) => {
      const document = { path: "sops/uncategorized/sop-0003-from.md", text: body, sha256: sha256(body) };
      const { results } = await boss.client.sops.import({ body: { importId: randomUUID(), documents: [document] } });
      return results.map(({ outcome, version }) => `${outcome} ${version}`);
    };
    expect(await send(text)).toEqual(["unchanged 1"]);
    // the target moved since, or its new draft has another title
    await boss.client.sops.update({ params: { id: open.id }, body: { title: "Other" } });
    await boss.client.sops.unpublish({ params: { id: open.id }, body: {} });
    expect(await file(boss, from.id)).toBe(text);
    expect(await send(`${text}\nMore.\n`)).toEqual(["update 2"]);
    const { markdown: stored } = await boss.client.sops.get({ params: { id: from.id } });
    expect(stored).toBe(`${markdown}\nMore.\n`);
    // an unpublished SOP has no path
    expect(await file(boss, from.id)).not.toContain("../../sops");
    expect(await file(boss, from.id, 1)).toBe(text);
  });

  test("of an import lead to the numbers of its other documents", async () => {
    const { boss } = await people();
    const importId = "0198aaaa-0000-7000-8000-000000000001";
    const one = (name: string, body: string) => {
      const text = fileTextOf({ title: name }, body);
      return { path: `${name}.md`, text, sha256: sha256(text) };
    };
    const plan = await boss.client.sops.import({ body: { importId, documents: [one("B", "Text\n")], dryRun: true } });
    const id = plan.results[0]?.id ?? "";
    const documents = [one("A", `[B](/sop/${id}#x) and [it](/sop/${id})\n`), one("B", "Text\n")];
    const { results } = await boss.client.sops.import({ body: { importId, documents } });
    const { markdown } = await boss.client.sops.get({ params: { id: results[0]?.id ?? "" } });
    expect(results[1]?.id).toBe(id);
    expect(markdown).toBe("[B](/sop/SOP-0002#x) and [it](/sop/SOP-0002)\n");
    await boss.client.sops.update({ params: { id }, body: { title: "Renamed" } });
    expect(await shown(boss, results[0]?.id ?? "")).toMatch(/>Renamed<\/a> and <a[^>]+>it</);
  });

  test("come from numbers in the text of a new SOP, as far as the author sees their SOPs", async () => {
    const { boss, admin, reader } = await people();
    await create(boss, "Lock it out");
    const hidden = await create(admin, "Hidden");
    await admin.client.sops.restrict({ params: { id: hidden.id }, body: { restricted: true } });
    const old = await create(boss, "Old");
    await boss.client.sops.archive({ params: { id: old.id }, body: {} });
    const text = "See SOP-0001, SOP-0002, SOP-0003, SOP-0004 and SOP-0099. `SOP-0001`\n";
    const first = await create(boss, "From", text);
    const linked = text.replace("SOP-0001", "[SOP-0001](/sop/SOP-0001)");
    expect(first.markdown).toBe(linked);
    expect(await shown(reader, first.id)).toContain(">Lock it out</a>");
    expect((await reader.client.sops.links({ params: { id: "SOP-0001" } })).total).toBe(1);
  });

  test("come from numbers in the new words of a save, and stay while a screen sends them as it shows them", async () => {
    const { boss } = await people();
    await create(boss, "Lock it out");
    const { id } = await create(boss, "From", "First.\n", "draft");
    const params = { id };
    const save = async (body: { markdown: string } | { content: string }) => {
      const { markdown, version } = await boss.client.sops.update({ params, body });
      return [version, markdown];
    };
    const linked = "See [SOP-0001](/sop/SOP-0001), not SOP-0002 or SOP-0099.\n";
    expect(await save({ markdown: "See SOP-0001, not SOP-0002 or SOP-0099.\n" })).toEqual([2, linked]);
    // the screen has no link, and nothing is new
    expect(await save({ markdown: "See SOP-0001, not SOP-0002 or SOP-0099.\n" })).toEqual([2, linked]);
    const more = "\nThen SOP-0001 and `SOP-0001`.\n";
    const [, both] = await save({ markdown: `See SOP-0001, not SOP-0002 or SOP-0099.\n${more}` });
    expect(both).toBe(`${linked}\nThen [SOP-0001](/sop/SOP-0001) and \`SOP-0001\`.\n`);
    expect(await save({ content: "<p>Only SOP-0001</p>" })).toEqual([4, "Only [SOP-0001](/sop/SOP-0001)\n"]);
    // an old version comes back as it was
    expect((await boss.client.sops.restore({ params: { ...params, version: 2 }, body: {} })).markdown).toBe(linked);
  });

  test("are not made of a number that the version before has as plain text", async () => {
    const { boss } = await people();
    const from = await create(boss, "From", "See SOP-0002.\n");
    await create(boss, "Written later");
    const params = { id: from.id };
    const save = async (markdown: string) => (await boss.client.sops.update({ params, body: { markdown } })).markdown;
    expect(await save("See SOP-0002.\n\nMore.\n")).toBe("See SOP-0002.\n\nMore.\n");
    expect(await save("Read SOP-0002.\n\nMore of SOP-0002.\n")).toBe(
      "Read SOP-0002.\n\nMore of [SOP-0002](/sop/SOP-0002).\n",
    );
  });

  test("come from numbers of an imported file, once, and its note names the line", async () => {
    const { boss } = await people();
    await create(boss, "Lock it out");
    const importFile = async (text: string, dryRun = false) => {
      const document = { path: "notes/a.md", text, sha256: sha256(text) };
      const { results } = await boss.client.sops.import({
        body: { importId: randomUUID(), documents: [document], dryRun },
      });
      const [result] = results;
      const notes = result?.notes.flatMap(({ code, line, message }) =>
        code === "number-linked" ? [`${line}: ${message}`] : [],
      );
      return { id: result?.id ?? "", said: [result?.outcome, ...(notes ?? [])] };
    };
    const text = "# A\n\nFirst.\n\n* See SOP-0001\n* Then SOP-0002, if there is one.\n";
    expect((await importFile(text, true)).said).toEqual(["create", "5: SOP-0001 became a link"]);
    const { id, said } = await importFile(text);
    expect(said).toEqual(["create", "5: SOP-0001 became a link"]);
    const params = { id };
    const stored = async () => (await boss.client.sops.get({ params })).markdown;
    expect(await stored()).toBe("First.\n\n- See [SOP-0001](/sop/SOP-0001)\n- Then SOP-0002, if there is one.\n");
    expect((await importFile(text)).said).toEqual(["unchanged"]);
    // the same text in other bytes
    expect((await importFile(`${text}\n`)).said).toEqual(["unchanged"]);
    expect((await importFile(`${text}\nMore.\n`)).said).toEqual(["update", "5: SOP-0001 became a link"]);
    expect(await stored()).toContain("- See [SOP-0001](/sop/SOP-0001)\n- Then SOP-0002, if");
  });

  test("from numbers come back from a file as they went, and stay plain where its author unlinks them", async () => {
    const { boss } = await people();
    await create(boss, "Lock it out");
    const from = await create(boss, "From", "See SOP-0001.\n");
    const push = async (text: string) => {
      const document = { path: "sops/uncategorized/sop-0002-from.md", text, sha256: sha256(text) };
      const { results } = await boss.client.sops.import({ body: { importId: randomUUID(), documents: [document] } });
      return results.map(({ outcome, version, notes }) => [outcome, version, ...notes.map(({ message }) => message)]);
    };
    const link = "[SOP-0001](../../sops/uncategorized/sop-0001-lock-it-out.md)";
    const pulled = await file(boss, from.id);
    expect(pulled).toContain(`See ${link}.\n`);
    expect(await push(pulled)).toEqual([["unchanged", 1]]);
    expect(await push(`${pulled}\nAlso SOP-0001, not SOP-0002\n`)).toEqual([["update", 2, "SOP-0001 became a link"]]);
    const next = await file(boss, from.id);
    expect(next).toContain(`See ${link}.\n\nAlso ${link}, not SOP-0002\n`);
    expect(await push(next)).toEqual([["unchanged", 2]]);
    const plain = next.replaceAll(link, "SOP-0001");
    expect(await push(plain)).toEqual([["update", 3]]);
    expect(await file(boss, from.id)).toContain("See SOP-0001.\n\nAlso SOP-0001, not SOP-0002\n");
    expect(await push(await file(boss, from.id))).toEqual([["unchanged", 3]]);
  });

  test("stop a publication where they lead to an archived, deleted, hidden or unknown SOP", async () => {
    const { boss, admin } = await people();
    const [archived, deleted, hidden, draft] = [
      await create(boss, "One"),
      await create(boss, "Two"),
      await create(admin, "Three"),
      await create(boss, "Four", "Text\n", "draft"),
    ].map(({ id }) => ({ id }));
    await boss.client.sops.archive({ params: archived ?? { id: "" }, body: {} });
    await admin.client.sops.remove({ params: deleted ?? { id: "" } });
    await admin.client.sops.restrict({ params: hidden ?? { id: "" }, body: { restricted: true } });
    const markdown = `[a](/sop/SOP-0001) [b](/sop/SOP-0002) [c](/sop/SOP-0003) [d](/sop/${draft?.id}) [e](/sop/SOP-0099)\n`;
    const found = await boss.client.sops.check({ body: { title: "T", description: "D", markdown } });
    const messages = found.findings.flatMap(({ rule, message }) => (rule === "ref/sop" ? [message] : []));
    const gone = (number: string) => `${number} doesn't exist, or you can't see it`;
    expect(messages).toEqual(["SOP-0001 is archived", gone("SOP-0002"), gone("SOP-0003"), gone("SOP-0099")]);
    await expect(create(boss, "From", markdown)).rejects.toMatchObject({ code: "unprocessable" });
    await create(boss, "From", `[d](/sop/${draft?.id})\n`);
  });

  test("are kept when a version is restored", async () => {
    const { boss } = await people();
    const target = await create(boss, "First title");
    const from = await create(boss, "From", "[First title](/sop/SOP-0001)\n");
    await boss.client.sops.update({ params: { id: target.id }, body: { title: "Second title" } });
    await boss.client.sops.update({ params: { id: from.id }, body: { markdown: "Nothing\n" } });
    const params = { id: from.id, version: 1 };
    const restored = await boss.client.sops.restore({ params, body: {} });
    expect(restored.content).toContain(">Second title</a>");
    expect((await boss.client.sops.links({ params: { id: target.id } })).total).toBe(1);
  });
});
