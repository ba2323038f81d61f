/** Suggestions over HTTP on both engines: found by rules, kept for their asker alone, settled once. */
import { expect, test } from "vitest";
import { describeServer, type TestUser } from "../../test/server.ts";

const body = { title: "T", description: "D", markdown: "M\n" };

describeServer("suggestions by rules", (server) => {
  const make = async (user: TestUser, title: string, fields: object = {}) =>
    (await user.client.sops.create({ body: { ...body, title, ...fields } })).id;
  const pending = (user: TestUser) => user.client.suggestions.list({});
  const called = (list: readonly { title: string }[]) => list.map(({ title }) => title);
  const rules = (list: readonly { evidence: readonly { rule: string }[] }[]) =>
    list.flatMap(({ evidence }) => evidence.map(({ rule }) => rule));

  test("find the gap of every rule, with its evidence; a second run changes nothing", async () => {
    const company = await server().company();
    const boss = await company.user("company_admin");
    const others = [boss, await company.user("viewer"), await company.user("editor")];
    for (const title of ["Fill the tank", "Rinse the tank", "Empty the tank"]) {
      const markdown = `## Equipment\n\n- Torque wrench for ${title}\n\n## Procedure\n\n1. **Tank warden:** Open it.\n`;
      await make(boss, title, { markdown, status: "published", reviewBy: "2026-06-03" });
    }
    const link = await make(boss, "Report a spill", { markdown: "See SOP _Dispose of oily rags_.\n" });
    for (const user of others) await user.client.search.find({ query: { q: "visitor badge" } });
    server().clock.advance(3 * 24 * 3_600_000);

    const found = await boss.client.assistant.suggest();
    expect(new Set(rules(found))).toEqual(
      new Set(["dangling-link", "zero-result-search", "equipment", "role", "template", "review-overdue"]),
    );
    expect(called(found).slice(0, 4)).toEqual([
      "Dispose of oily rags",
      "Visitor badge",
      "Use and maintain: torque wrench",
      "Take over as tank warden",
    ]);
    expect(found[0]).toMatchObject({
      source: "rules",
      status: "pending",
      reasoning: "1 SOP refers to it, and it is not there.",
      sentence: { id: "core.assistant.gap-reasons.dangling-link", values: { count: 1 } },
      evidence: [{ rule: "dangling-link", sopId: link, title: "Report a spill" }],
    });
    expect(found[1]?.evidence).toEqual([
      {
        rule: "zero-result-search",
        text: "3 people searched for “visitor badge” and found nothing",
        sentence: {
          id: "core.assistant.gap-evidence.zero-result-search",
          values: { detail: "visitor badge", count: 3 },
        },
        sopId: null,
        title: null,
      },
    ]);
    expect((await boss.client.stats.get()).aiSuggestions).toBe(found.length);
    const listed = await pending(boss);
    expect(called(listed)).toEqual(called(found));
    expect(await boss.client.assistant.suggest()).toEqual(found);
    expect(await pending(boss)).toEqual(listed);
  });

  test("leave out filled gaps and dismissed ones, until the dismissal is undone", async () => {
    const boss = await (await server().company()).user("manager");
    await make(boss, "Report a spill", { markdown: "SOP _Dispose of oily rags_, SOP _Order absorbents_\n" });
    const [first, second] = await boss.client.assistant.suggest();
    expect([first?.title, second?.title].toSorted()).toContain("Dispose of oily rags");
    await make(boss, "Dispose of oily rags");
    expect(called(await boss.client.assistant.suggest())).not.toContain("Dispose of oily rags");
    const order = (await pending(boss)).find(({ title }) => title === "Order absorbents");
    const params = { id: order?.id ?? "" };
    await boss.client.suggestions.setStatus({ params, body: { status: "dismissed" } });
    expect(called(await boss.client.assistant.suggest())).not.toContain("Order absorbents");
    await expect(boss.client.suggestions.setStatus({ params, body: { status: "accepted" } })).rejects.toMatchObject({
      code: "conflict",
    });
    await boss.client.suggestions.setStatus({ params, body: { status: "pending" } });
    expect(called(await boss.client.assistant.suggest())).toContain("Order absorbents");
  });

  test("become one draft when several people accept; over the limit none", async () => {
    const company = await server().company();
    const boss = await company.user("manager");
    const found = await boss.client.assistant.suggest();
    const drill = found.find(({ template }) => template === "evacuation-drill");
    const params = { id: drill?.id ?? "" };
    const accept = () => boss.client.suggestions.setStatus({ params, body: { status: "accepted" } });
    const settled = await Promise.all([accept(), accept(), accept()]);
    const made = (await boss.client.sops.list({})).data;
    expect(called(made)).toEqual(["Hold an evacuation drill"]);
    expect(new Set(settled.map(({ sopId }) => sopId))).toEqual(new Set([made[0]?.id]));
    const draft = await boss.client.sops.get({ params: { id: made[0]?.id ?? "" } });
    expect(draft).toMatchObject({ status: "draft", isAiGenerated: false, isTemplate: false });
    expect(draft.markdown).toContain("[confirm: each role, number and step holds here]");
    expect(called(await boss.client.assistant.suggest())).not.toContain("Hold an evacuation drill");
    await expect(boss.client.suggestions.setStatus({ params, body: { status: "dismissed" } })).rejects.toMatchObject({
      code: "conflict",
    });

    await company.set({ maxSOPs: 1 });
    const [other] = await pending(boss);
    await expect(
      boss.client.suggestions.setStatus({ params: { id: other?.id ?? "" }, body: { status: "accepted" } }),
    ).rejects.toMatchObject({ code: "limit_reached" });
    expect((await pending(boss))[0]).toEqual(other);
  });

  test("written by a user are kept as written, and can become a draft", async () => {
    const boss = await (await server().company()).user("contributor");
    const [category] = await boss.client.categories.list();
    const made = await boss.client.suggestions.create({
      body: {
        title: "Greet visitors",
        content: "1. Smile.\n",
        categoryId: category?.id ?? "",
        reasoning: "Nobody does",
      },
    });
    expect(made).toMatchObject({
      source: "user",
      evidence: [],
      category: { name: category?.name },
      reasoning: "Nobody does",
    });
    const { sopId } = await boss.client.suggestions.setStatus({
      params: { id: made.id },
      body: { status: "accepted" },
    });
    const draft = await boss.client.sops.get({ params: { id: sopId ?? "" } });
    expect(draft).toMatchObject({ title: "Greet visitors", markdown: "1. Smile.\n", categoryId: category?.id });
    expect(await pending(boss)).toEqual([]);
    expect(called(await boss.client.suggestions.list({ query: { status: "accepted" } }))).toEqual(["Greet visitors"]);
  });

  test("are visible to their user alone, and depend on the user's current access", async () => {
    const company = await server().company();
    const admin = await company.user("company_admin");
    const author = await company.user("editor");
    const id = await make(admin, "Report a spill", { markdown: "SOP _Dispose of oily rags_\n", status: "published" });
    const found = await author.client.assistant.suggest();
    expect(called(found)).toContain("Dispose of oily rags");
    const { id: suggestion } = found.find(({ title }) => title === "Dispose of oily rags") ?? { id: "" };
    expect(await pending(admin)).toEqual([]);
    const params = { id: suggestion };
    const foreign = admin.client.suggestions.setStatus({ params, body: { status: "dismissed" } });
    await expect(foreign).rejects.toMatchObject({ code: "not_found" });

    const before = (await author.client.stats.get()).aiSuggestions;
    await admin.client.sops.restrict({ params: { id }, body: { restricted: true } });
    expect(called(await pending(author))).not.toContain("Dispose of oily rags");
    expect((await author.client.stats.get()).aiSuggestions).toBe(before - 1);
    const hidden = author.client.suggestions.setStatus({ params, body: { status: "accepted" } });
    await expect(hidden).rejects.toMatchObject({ code: "not_found" });
    await admin.client.sops.restrict({ params: { id }, body: { restricted: false } });
    expect(called(await pending(author))).toContain("Dispose of oily rags");
  });

  test("ignore searches by fewer than three people, for existing SOPs, or that may identify a person", async () => {
    const company = await server().company();
    const boss = await company.user("manager");
    const people = [
      boss,
      await company.user("viewer"),
      await company.user("viewer"),
      await company.user("contributor"),
    ];
    await make(boss, "Check the ladder", { markdown: "Rungs.\n" });
    const search = async (user: TestUser | undefined, q: string) => user?.client.search.find({ query: { q } });
    for (const user of people) {
      await search(user, "ladder");
      await search(user, "jane@example.org");
      await search(user, "0664 123 45 67");
      await search(user, "harness inspection");
    }
    for (const user of people.slice(0, 2)) await search(user, "grinder");
    for (const q of ["har", "harn", "harness"]) for (const user of people) await search(user, q);
    const searched = async (user: TestUser) =>
      (await user.client.assistant.suggest())
        .flatMap(({ evidence }) => evidence)
        .filter(({ rule }) => rule === "zero-result-search")
        .map(({ text }) => text);
    // a draft that readers don't see is what they search for in vain; who sees it finds it
    expect(await searched(boss)).toEqual(["4 people searched for “harness inspection” and found nothing"]);
    const contributor = people[3];
    if (!contributor) throw new Error("he was made");
    expect(await searched(contributor)).toEqual([]);
    const stored = await server().db.collection("missed_searches").find({ companyId: boss.companyId });
    expect(JSON.stringify(stored)).not.toMatch(/jane|0664/);
    for (const { id } of people) expect(JSON.stringify(stored)).not.toContain(id);
  });

  test("asked for by name are gaps for managers until a published SOP has the words", async () => {
    const company = await server().company();
    const [boss, reader] = [await company.user("manager"), await company.user("viewer")];
    await reader.client.search.ask({ body: { q: "Oat milk" } });
    await reader.client.search.ask({ body: { q: "oat milk" } });
    await expect(reader.client.search.ask({ body: { q: "jane@example.org" } })).rejects.toMatchObject({
      code: "invalid_input",
    });
    const gaps = async (user: TestUser) => (await user.client.stats.needs()).gaps.searches;
    const titlesFound = async (user: TestUser, q: string) =>
      (await user.client.search.find({ query: { q } })).data.map(({ sop }) => sop.title);
    const gap = { words: "oat milk", people: 1, askedBy: [`${reader.name} (${reader.username})`] };
    expect(await gaps(boss)).toEqual([gap]);
    expect(await gaps(reader)).toEqual([]);
    const { client } = boss;
    const { id } = await client.sops.create({ body: { title: "Oat milk", description: "D", markdown: "Froth it." } });
    expect(await gaps(boss)).toEqual([gap]);
    await client.sops.publish({ params: { id }, body: {} });
    await expect.poll(() => gaps(boss)).toEqual([]);
    // a waiting draft with the words helps no reader
    await reader.client.search.ask({ body: { q: "soy drink" } });
    const next = { markdown: "Froth the soy drink.", status: "draft" as const };
    await client.sops.update({ params: { id }, body: next });
    expect(await titlesFound(boss, "soy drink")).toEqual(["Oat milk"]);
    expect((await gaps(boss)).map(({ words }) => words)).toEqual(["soy drink"]);
  });

  test("refuse the address of a missing category", async () => {
    const boss = await (await server().company()).user("manager");
    const refused = boss.client.suggestions.create({ body: { title: "A", categoryId: "nowhere" } });
    await expect(refused).rejects.toMatchObject({ code: "invalid_input" });
  });
});
