import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { ApiError } from "#core/api/client.ts";
import { fileTextOf, type FrontMatter } from "#core/markdown/front-matter.ts";
import { describeServer, type TestUser } from "../../test/server.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describeServer("numbers of SOPs", (server) => {
  async function people(numberScheme?: string) {
    const company = await server().company();
    const [admin, boss] = [await company.user("company_admin"), await company.user("manager")];
    const use = (scheme: string) => admin.client.company.update({ body: { settings: { numberScheme: scheme } } });
    if (numberScheme !== undefined) await use(numberScheme);
    const categories = await boss.client.categories.list();
    return { admin, boss, use, category: categories[0] ?? { id: "", slug: "" } };
  }

  const create = (user: TestUser, title: string, more: object = {}) =>
    user.client.sops.create({ body: { title, description: "D", markdown: "Text\n", ...more } });
  const refusal = async (answer: Promise<unknown>) =>
    answer.then(
      () => "accepted",
      (error: ApiError) => `${error.code}: ${error.serverMessage}`,
    );
  async function imports(user: TestUser, files: { path: string; front: FrontMatter; body?: string }[], dryRun = false) {
    const documents = files.map(({ path, front, body = "Text\n" }) => {
      const text = fileTextOf(front, body);
      return { path, text, sha256: sha256(text) };
    });
    const { results } = await user.client.sops.import({ body: { importId: randomUUID(), documents, dryRun } });
    return results.map(({ outcome, number, reason }) => `${outcome} ${number ?? "-"}${reason ? `: ${reason}` : ""}`);
  }

  test("count on as before, and skip chosen ones", async () => {
    const { boss } = await people();
    expect((await create(boss, "One")).number).toBe("SOP-0001");
    expect((await create(boss, "Chosen", { number: "sop-3" })).number).toBe("SOP-0003");
    expect((await create(boss, "Two")).number).toBe("SOP-0002");
    expect((await create(boss, "Four")).number).toBe("SOP-0004");
    const rows = await boss.client.sops.list({ query: { sort: "number" } });
    expect(rows.data.map(({ number }) => number)).toEqual(["SOP-0001", "SOP-0002", "SOP-0003", "SOP-0004"]);
  });

  test("follow the company's scheme, each start on its own, and old ones stay", async () => {
    const { boss, use, category } = await people();
    const old = await create(boss, "Old");
    await use("{category}-{seq:3}");
    const start = category.slug.toUpperCase();
    const categoryId = category.id;
    const numbers = [
      (await create(boss, "A", { categoryId })).number,
      (await create(boss, "B")).number,
      (await create(boss, "C", { categoryId })).number,
    ];
    expect(numbers).toEqual([`${start}-001`, "UNCATEGORIZED-001", `${start}-002`]);
    expect((await boss.client.sops.get({ params: { id: old.id } })).number).toBe("SOP-0001");
    await use("QM.{seq:2}");
    expect((await create(boss, "D")).number).toBe("QM.01");
    await use("SOP-{seq:4}");
    expect((await create(boss, "E")).number).toBe("SOP-0002");
  });

  test("of a scheme that can't be read are refused, with the reason", async () => {
    const { use } = await people();
    expect(await refusal(use("{team}-{seq:3}"))).toMatch(/^invalid_input/);
    expect(await refusal(use("SOP"))).toMatch(/^invalid_input/);
  });

  test("are refused where they are taken or don't fit, and nothing is created", async () => {
    const { boss, admin } = await people();
    const gone = await create(boss, "Gone", { number: "SOP-0007" });
    await admin.client.sops.remove({ params: { id: gone.id } });
    expect(await refusal(create(boss, "Again", { number: "sop-07" }))).toMatch(/^conflict: SOP-0007 is taken/);
    expect(await refusal(create(boss, "Odd", { number: "QM 12" }))).toMatch(
      /^invalid_input: "QM 12" doesn't fit the company's numbers. Write one such as SOP-0007/,
    );
    expect((await boss.client.sops.list({ query: {} })).data).toEqual([]);
  });

  test("are given once, however many ask at the same time", async () => {
    const { boss } = await people("QM-{seq:2}");
    const asked = Array.from({ length: 12 }, (_, n) =>
      create(boss, `Number ${n}`, n % 3 === 0 ? { number: "QM-05" } : {}).then(
        ({ number }) => number,
        () => "refused",
      ),
    );
    const given = (await Promise.all(asked)).filter((number) => number !== "refused");
    expect(given).toHaveLength(9);
    expect(new Set(given).size).toBe(9);
    expect(given).toContain("QM-05");
  });

  test("open, link, search and name files", async () => {
    const { boss } = await people("QM.{year}-{seq:3}");
    const target = await create(boss, "Lock out", { number: "QM.2020-007", status: "published" });
    expect((await boss.client.sops.get({ params: { id: "qm.2020-7" } })).id).toBe(target.id);
    const from = await create(boss, "From", { markdown: "[Lock out](/sop/qm.2020-7#a)\n", status: "published" });
    expect(from.markdown).toBe("[Lock out](/sop/QM.2020-007#a)\n");
    expect((await boss.client.sops.links({ params: { id: target.id } })).data).toHaveLength(1);
    const path = `/api/sops/${from.id}/export?format=md`;
    const file = (await boss.send({ path })).body.toString();
    expect(file).toContain("[Lock out](../../sops/uncategorized/qm.2020-007-lock-out.md#a)");
    expect(file).toContain(`sop: "${from.number}"`);
    const again = { path: "from.md", text: `${file}\nMore.\n`, sha256: sha256(`${file}\nMore.\n`) };
    await boss.client.sops.import({ body: { importId: randomUUID(), documents: [again] } });
    const { markdown } = await boss.client.sops.get({ params: { id: from.id } });
    expect(markdown).toBe("[Lock out](/sop/QM.2020-007#a)\n\nMore.\n");
    await boss.client.sops.update({ params: { id: target.id }, body: { title: "Lock it all out" } });
    expect((await boss.client.sops.get({ params: { id: from.id } })).content).toContain(">Lock it all out</a>");
    for (const asked of ["QM.2020-007", "qm.2020-7"]) {
      const { data } = await boss.client.search.find({ query: { q: asked } });
      expect(data[0]?.sop.id, asked).toBe(target.id);
    }
  });

  test("change only of a draft that was never published and that no other SOP links", async () => {
    const { boss } = await people();
    const { id } = await create(boss, "Draft");
    const other = await create(boss, "Other", { status: "published" });
    const params = { id };
    const renamed = await boss.client.sops.update({ params, body: { number: "SOP-0042" } });
    expect([renamed.number, renamed.version]).toEqual(["SOP-0042", 2]);
    const path = `/api/sops/${id}/export?format=md`;
    expect((await boss.send({ path })).body.toString()).toContain('sop: "SOP-0042"');
    expect(await refusal(boss.client.sops.update({ params, body: { number: other.number } }))).toMatch(/is taken/);
    // the whole record sent back is no change
    const record = await boss.client.sops.get({ params });
    expect((await boss.client.sops.update({ params, body: { number: record.number } })).version).toBe(2);
    const published = { id: other.id };
    expect(await refusal(boss.client.sops.update({ params: published, body: { number: "SOP-0043" } }))).toMatch(
      /^conflict: SOP-0002 keeps its number/,
    );
    await boss.client.sops.update({ params: published, body: { markdown: "[Draft](/sop/SOP-0042)\n" } });
    expect(await refusal(boss.client.sops.update({ params, body: { number: "SOP-0044" } }))).toMatch(
      /^conflict: Other SOPs link to SOP-0042/,
    );
  });

  test("of imported files are taken over, or the file is refused with the reason", async () => {
    const { boss } = await people("QM-{seq:3}");
    await create(boss, "Here", { number: "QM-002" });
    const files = [
      { path: "a.md", front: { title: "A", number: "QM-010" } },
      { path: "b.md", front: { title: "B", number: "qm-10" } },
      { path: "c.md", front: { title: "C", number: "QM-002" } },
      { path: "d.md", front: { title: "D", number: "12" } },
      { path: "e.md", front: { title: "E" } },
    ];
    const refused = [
      "refused -: number: a.md asks for QM-010 too. Give one of them another number",
      "refused -: number: QM-002 is taken. Choose another one, or add the id of its SOP to update it",
      "refused -: number: \"12\" doesn't fit the company's numbers. Write one such as QM-007",
    ];
    expect(await imports(boss, files, true)).toEqual(["create -", ...refused, "create -"]);
    expect(await imports(boss, files)).toEqual(["create QM-010", ...refused, "create QM-001"]);
    // the same files again, and one that was changed
    const second = await imports(boss, [files[0] ?? { path: "", front: {} }]);
    expect(second).toEqual(["unchanged QM-010"]);
  });

  test("in a file of an SOP are its own, or the file is refused", async () => {
    const { boss } = await people();
    const { id } = await create(boss, "Here");
    const front = { id, version: 1, title: "Here", description: "D" };
    const other = { ...front, number: "SOP-0009" };
    expect(await imports(boss, [{ path: "a.md", front: other, body: "New\n" }])).toEqual([
      "refused SOP-0001: The file asks for number SOP-0009, but this SOP keeps SOP-0001: leave number out of the file",
    ]);
    const own = { ...front, number: "sop-1" };
    expect(await imports(boss, [{ path: "a.md", front: own, body: "New\n" }])).toEqual(["update SOP-0001"]);
    const path = `/api/sops/${id}/export?format=md`;
    expect((await boss.send({ path })).body.toString()).not.toContain("number:");
  });

  test("that another server gave are noted, and its file gets the next one", async () => {
    const { boss } = await people("QM.{seq:2}");
    const text = fileTextOf({ sop: "HR.01-003", title: "A" }, "Text\n");
    const documents = [{ path: "a.md", text, sha256: sha256(text) }];
    const { results } = await boss.client.sops.import({ body: { importId: randomUUID(), documents } });
    expect(results[0]).toMatchObject({ outcome: "create", number: "QM.01" });
    expect(results[0]?.notes.map(({ message }) => message)).toContain(
      "Its number HR.01-003 was given elsewhere: it gets the next one here. To choose it, write number: HR.01-003",
    );
    expect((await boss.send({ path: "/api/sops/QM.01/export?format=md" })).body.toString()).not.toContain("HR.01");
  });
});
