/** The rules a text must meet before it is approved or published. */
import { describe, expect, test } from "vitest";
import { describeServer, type TestUser } from "../../../test/server.ts";

const good = "## Procedure\n\n1. Open the lid.\n2. Close the lid.\n";
const unfinished = "## Procedure\n\n1. Open the lid.\n2. TODO\n";

describeServer("the rules of a company", (server) => {
  const people = async (textRules?: "off" | "minimal" | "recommended" | "regulated") => {
    const company = await server().company();
    if (textRules !== undefined) await company.set({ "settings.textRules": textRules });
    return { manager: await company.user("manager"), editor: await company.user("editor") };
  };
  const create = (user: TestUser, markdown: string, more: object = {}) =>
    user.client.sops.create({ body: { title: "Lids", description: "How.", markdown, ...more } });
  const refusal = {
    code: "unprocessable",
    serverMessage: expect.stringContaining("rules yet. Line 4: Replace the placeholder TODO"),
    details: { findings: [expect.objectContaining({ rule: "text/placeholder", line: 4, column: 4 })] },
  };

  test("block submitting and publishing a text with errors; a draft is saved", async () => {
    const { manager, editor } = await people();
    const { id } = await create(editor, unfinished);
    const params = { id };
    const ask = () => editor.client.sops.requestApproval({ params, body: { approverIds: [manager.id] } });
    await expect(ask()).rejects.toMatchObject(refusal);
    await expect(manager.client.sops.publish({ params })).rejects.toMatchObject(refusal);
    await expect(manager.client.sops.update({ params, body: { status: "published" } })).rejects.toMatchObject(refusal);
    await expect(create(manager, unfinished, { status: "published" })).rejects.toMatchObject(refusal);
    expect(await manager.client.sops.get({ params })).toMatchObject({ status: "draft", version: 1 });

    await editor.client.sops.update({ params, body: { markdown: good } });
    expect(await ask()).toMatchObject({ status: "pending" });
  });

  test("are the company's choice: off, or more of them", async () => {
    const off = await people("off");
    expect(await create(off.manager, unfinished, { status: "published" })).toMatchObject({ status: "published" });
    const strict = await people("recommended");
    await expect(create(strict.manager, good, { status: "published" })).rejects.toMatchObject({
      code: "unprocessable",
      serverMessage: expect.stringMatching(/rules yet\. .+ \(and \d+ more\)$/),
    });
  });

  test("block submitting and publishing an AI's assumption that is not confirmed", async () => {
    const { manager, editor } = await people();
    const body = (mark: string) => `${good}\n## Assumptions to confirm\n\n- [${mark}] The lid is red.\n`;
    const { id } = await create(editor, body(" "), { isAiGenerated: true });
    const params = { id };
    await expect(manager.client.sops.publish({ params })).rejects.toMatchObject({
      code: "unprocessable",
      serverMessage: expect.stringContaining("Line 8: Confirm or correct what the AI assumed: The lid is red."),
      details: { findings: [{ rule: "ai/unreviewed" }] },
    });
    await editor.client.sops.update({ params, body: { markdown: body("x") } });
    expect(await manager.client.sops.publish({ params })).toMatchObject({ status: "published" });
    // what a person wrote may hold open tasks
    expect(await create(manager, body(" "), { status: "published" })).toMatchObject({ status: "published" });
  });

  test("are checked while a user writes: more than the blocking ones, each with its place and its fix", async () => {
    const { editor } = await people();
    const about = { title: "Lids", description: "How." };
    const markdown = `${unfinished}\n## Safety\n\n> [!warning]\n> Hot.\n`;
    const { findings, more } = await editor.client.sops.check({ body: { ...about, markdown } });
    expect(more).toBe(0);
    expect(findings).toContainEqual(
      expect.objectContaining({ rule: "text/placeholder", line: 4, column: 4, severity: "error", stops: true }),
    );
    expect(findings).toContainEqual(expect.objectContaining({ rule: "struct/sections", stops: false }));
    const fixable = findings.filter(({ fix }) => fix?.safe);
    expect(fixable.map(({ rule }) => rule)).toContain("safety/signal-word");
    for (const { fix } of fixable)
      for (const { start, end } of fix?.edits ?? []) {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(markdown.length);
      }
    const [edit] = fixable.find(({ rule }) => rule === "safety/signal-word")?.fix?.edits ?? [];
    expect(markdown.slice(edit?.start, edit?.end)).toContain("warning");
    const untitled = await editor.client.sops.check({ body: { title: "", description: "", markdown: good } });
    expect(untitled.findings).toContainEqual(expect.objectContaining({ rule: "meta/required", line: 0, stops: true }));
  });

  describe("settings", () => {
    test("begin with the minimal rules; administrators change them, on record", async () => {
      const company = await server().company();
      const boss = await company.user("company_admin");
      expect((await boss.client.company.get()).settings.textRules).toBe("minimal");
      const changed = await boss.client.company.update({ body: { settings: { textRules: "regulated" } } });
      expect(changed.settings).toMatchObject({ textRules: "regulated", documentControl: "flexible" });
      const rows = await server()
        .db.forCompany(boss.companyId)
        .collection("audit_logs")
        .find({ action: "company.update" });
      expect(rows.map(({ changes }) => changes)).toEqual([
        { "settings.textRules": { from: "minimal", to: "regulated" } },
      ]);
      const unknown = { settings: { textRules: "none" } } as never;
      await expect(boss.client.company.update({ body: unknown })).rejects.toMatchObject({ code: "invalid_input" });
    });
  });
});
