/** Drafts from templates and texts tidied by rules, over HTTP on both engines, without any key. */
import { expect, test } from "vitest";
import { describeServer } from "../../test/server.ts";

describeServer("the assistant without a model", (server) => {
  test("drafts from the best matching template, with visible blanks, never labeled AI", async () => {
    const boss = await (await server().company()).user("contributor");
    const [category] = await boss.client.categories.list();
    const body = { prompt: "Write an SOP for locking out the machine on line 9", category: category?.name ?? "" };
    const draft = await boss.client.assistant.draft({ body });
    expect(draft).toMatchObject({
      title: "Locking out the machine on line 9",
      status: "draft",
      isAiGenerated: false,
      isTemplate: false,
      categoryId: category?.id,
      rules: { template: "lockout-tagout", templateTitle: "Lock out and tag out a machine" },
    });
    expect(draft.rules.found).toContain("machine");
    expect(draft.markdown).toContain("[confirm: each role, number and step holds here]");
    expect(draft.markdown).toContain("[confirm: what the template does not know: ");
    const published = boss.client.sops.publish({ params: { id: draft.id }, body: {} });
    await expect(published).rejects.toMatchObject({ status: 403 });
    expect((await boss.client.sops.list({})).data.map(({ id }) => id)).toEqual([draft.id]);
  });

  test("drafts from the plain template where none matches, and from any template by its id", async () => {
    const boss = await (await server().company()).user("manager");
    const plain = await boss.client.assistant.draft({ body: { prompt: "Polish the trophies", category: "General" } });
    expect(plain).toMatchObject({
      title: "Polish the trophies",
      categoryId: null,
      rules: { template: "standard", found: [] },
    });
    expect(plain.markdown).toContain("[insert the first step");
    const drill = await boss.client.assistant.draft({ body: { prompt: "Trophies", template: "evacuation-drill" } });
    expect(drill.rules.templateTitle).toBe("Hold an evacuation drill");
    const publish = boss.client.sops.publish({ params: { id: drill.id }, body: {} });
    await expect(publish).rejects.toMatchObject({ code: "unprocessable" });
    const unknown = boss.client.assistant.draft({ body: { prompt: "Trophies", template: "nothing" } });
    await expect(unknown).rejects.toMatchObject({ code: "invalid_input", details: { template: expect.any(String) } });
  });

  test("puts a draft in the category that fits: by its name, by similar SOPs, or in none", async () => {
    const boss = await (await server().company()).user("manager");
    const categories = await boss.client.categories.list();
    const named = (name: string) => categories.find((one) => one.name === name)?.id;
    const categoryOf = async (prompt: string, category?: string) =>
      (await boss.client.assistant.draft({ body: { prompt, ...(category !== undefined && { category }) } })).categoryId;
    // the template's tag "safety"
    expect(await categoryOf("Lock out the machine on line 9")).toBe(named("Safety Protocols"));
    expect(await categoryOf("Lock out the machine on line 9", "Finance")).toBe(named("Finance"));
    expect(await categoryOf("Descale the espresso maker")).toBeNull();
    await boss.client.sops.create({
      body: {
        title: "Refill the espresso maker",
        description: "D",
        markdown: "A\n",
        categoryId: named("HR Procedures"),
      },
    });
    expect(await categoryOf("Descale the espresso maker", "General")).toBe(named("HR Procedures"));
  });

  test("drafts from the company's templates too, for users who can see them", async () => {
    const company = await server().company();
    const boss = await company.user("company_admin");
    const text = { title: "Audit a supplier of peptides", description: "D", markdown: "1. Ask for samples.\n" };
    const { id } = await boss.client.sops.create({ body: { ...text, isTemplate: true } });
    const own = await boss.client.assistant.draft({ body: { prompt: "audit a peptides supplier" } });
    expect(own.rules).toMatchObject({ template: id, templateTitle: text.title });
    expect(own.markdown).toContain("Ask for samples.");
    expect(own.isTemplate).toBe(false);
    const other = await company.user("contributor");
    const theirs = await other.client.assistant.draft({ body: { prompt: "audit a peptides supplier" } });
    expect(theirs.rules.template).not.toBe(id);
    const asked = other.client.assistant.draft({ body: { prompt: "A", template: id } });
    await expect(asked).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("treats a prompt as plain text, markup included", async () => {
    const boss = await (await server().company()).user("manager");
    const prompt =
      "Evacuation drill <script>alert(1)</script> [x](javascript:alert(2)) ![p](https://evil.example/a.png)";
    const draft = await boss.client.assistant.draft({ body: { prompt, template: "evacuation-drill" } });
    expect(draft.content).not.toMatch(/<script|javascript:|evil\.example/);
    expect(draft.content).toContain("confirm");
  });

  test("improves a text, lists the remaining issues, and stores nothing", async () => {
    const viewer = await (await server().company()).user("viewer");
    const content = "<h2>Procedure</h2><ol><li>The valve should be opened as needed.</li></ol>";
    const tidy = await viewer.client.assistant.improve({ body: { title: "Valve", content } });
    expect(tidy).toMatchObject({ ai: null, edits: [], dropped: [] });
    expect(tidy.base).toContain("1. The valve should be opened as needed.");
    expect(tidy.findings.after.length).toBeGreaterThan(0);
    for (const { message } of tidy.findings.after) expect(message).not.toBe("");
    await expect(viewer.client.assistant.improve({ body: { content: " " } })).rejects.toMatchObject({
      code: "invalid_input",
    });
    await expect(viewer.client.assistant.improve({ body: { content, markdown: "Close it." } })).rejects.toMatchObject({
      details: { markdown: "Send content or markdown, not both" },
    });
    expect((await viewer.client.sops.list({})).data).toEqual([]);
  });
});
