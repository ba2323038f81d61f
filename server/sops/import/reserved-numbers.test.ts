import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { ApiError } from "#core/api/client.ts";
import { newId } from "#core/ids.ts";
import { fileTextOf, type FrontMatter } from "#core/markdown/front-matter.ts";
import { limits } from "#core/limits.ts";
import type { ImportRequest } from "#core/sops/import-schema.ts";
import { describeServer, type TestUser } from "../../../test/server.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

interface File {
  name: string;
  links?: readonly string[];
  front?: Partial<FrontMatter>;
}

/** An import as a client carries it out: it asks for the ids of what is linked, then sends one document a request. */
function importer(user: TestUser, importId = newId(), options: Partial<ImportRequest> = {}) {
  const ids = new Map<string, string>();
  const document = ({ name, links = [], front = {} }: File) => {
    const linked = links.map((other) => `See [${other}](/sop/${ids.get(other) ?? ""}) in ${other}.\n`);
    const text = fileTextOf({ title: name, ...front }, ["Text.\n", ...linked].join("\n"));
    return { path: `${name}.md`, text, sha256: sha256(JSON.stringify([name, links, front])) };
  };
  const ask = async (files: readonly File[], more: Partial<ImportRequest>) => {
    const body = { importId, documents: files.map(document), ...options, ...more };
    const { results } = await user.client.sops.import({ body });
    for (const { path, id, outcome } of results)
      if (id !== undefined && outcome !== "refused") ids.set(path.slice(0, -3), id);
    return results;
  };
  return {
    ids,
    reserve: async (...files: File[]) =>
      (await ask(files, { reserveNumbers: true })).map(({ number, reason }) => number ?? reason),
    store: async (...files: File[]) => {
      const results = await ask(files, {});
      return results.map(({ outcome, number, version }) => `${outcome} ${number} v${version}`);
    },
    text: async (name: string) =>
      (await user.client.sops.get({ params: { id: ids.get(name) ?? "" } })).markdown.split("\n").slice(2).join("\n"),
  };
}

const abc: File[] = [
  { name: "A", links: ["B", "C"] },
  { name: "B", links: ["A", "C"] },
  { name: "C", links: ["A"] },
];

describeServer("numbers reserved by an import", (server) => {
  async function people() {
    const company = await server().company();
    const [admin, boss, other] = [
      await company.user("company_admin"),
      await company.user("manager"),
      await company.user("manager"),
    ];
    const use = (scheme: string) => admin.client.company.update({ body: { settings: { numberScheme: scheme } } });
    return { company, boss, other, use };
  }
  const create = (user: TestUser, title: string, more: object = {}) =>
    user.client.sops.create({ body: { title, description: "D", markdown: "Text\n", ...more } });
  const refusal = (answer: Promise<unknown>) =>
    answer.then(
      () => "accepted",
      (error: ApiError) => `${error.code}: ${error.serverMessage}`,
    );

  test("link documents of different requests, in their first version, also over a restart", async () => {
    const { boss } = await people();
    const one = importer(boss);
    expect(await one.reserve(...abc)).toEqual(["SOP-0001", "SOP-0002", "SOP-0003"]);
    // an answer that got lost
    expect(await one.reserve(...abc)).toEqual(["SOP-0001", "SOP-0002", "SOP-0003"]);
    expect(await one.store(abc[0]!)).toEqual(["create SOP-0001 v1"]);
    await server().restart();
    expect((await create(boss, "Meanwhile")).number).toBe("SOP-0004");
    expect(await one.store(abc[2]!)).toEqual(["create SOP-0003 v1"]);
    expect(await one.store(abc[1]!)).toEqual(["create SOP-0002 v1"]);
    expect(await one.text("A")).toBe("See [B](/sop/SOP-0002) in B.\n\nSee [C](/sop/SOP-0003) in C.\n");
    expect(await one.text("B")).toBe("See [A](/sop/SOP-0001) in A.\n\nSee [C](/sop/SOP-0003) in C.\n");
    const { id = "" } = await boss.client.sops.get({ params: { id: "SOP-0002" } });
    expect((await boss.client.sops.links({ params: { id } })).total).toBe(1);
    // words that are the title follow it, as in one request
    await boss.client.sops.update({ params: { id }, body: { title: "Renamed" } });
    expect((await boss.client.sops.get({ params: { id: "SOP-0001" } })).content).toContain(">Renamed</a>");
    expect(await server().db.forCompany(boss.companyId).collection("reserved_numbers").find({})).toEqual([]);
  });

  test("keep the order of the files, and count with their category", async () => {
    const { boss, use } = await people();
    await use("{category}-{seq:3}");
    const one = importer(boss, newId(), { createCategories: true });
    const files = [
      { name: "A", links: ["C"], front: { "x-category": "Loading dock" } },
      { name: "B", front: { "x-category": "Night shift" } },
      { name: "C", front: { "x-category": "Loading dock" } },
    ];
    expect(await one.reserve(...files)).toEqual(["LOADING-DOCK-001", "NIGHT-SHIFT-001", "LOADING-DOCK-002"]);
    // numbers once reserved stay under another scheme
    await use("SOP-{seq:4}");
    expect(await one.store(files[0]!)).toEqual(["create LOADING-DOCK-001 v1"]);
    expect(await one.store(files[1]!, files[2]!)).toEqual(["create NIGHT-SHIFT-001 v1", "create LOADING-DOCK-002 v1"]);
    expect(await one.text("A")).toBe("See [C](/sop/LOADING-DOCK-002) in C.\n");
  });

  test("are given to no other SOP", async () => {
    const { boss } = await people();
    const draft = await create(boss, "Draft");
    const one = importer(boss);
    await one.reserve(...abc);
    const taken = "conflict: SOP-0003 is taken: choose another number, or leave it out for the next one";
    expect(await refusal(create(boss, "Chosen", { number: "SOP-3" }))).toBe(taken);
    const { id } = draft;
    expect(await refusal(boss.client.sops.update({ params: { id }, body: { number: "SOP-3" } }))).toBe(taken);
    const [foreign] = await importer(boss).reserve({ name: "D", front: { number: "SOP-0003" } });
    expect(foreign).toMatch(/^number: SOP-0003 is taken/);
    expect(await one.store(...abc)).toEqual(["create SOP-0002 v1", "create SOP-0003 v1", "create SOP-0004 v1"]);
    expect((await create(boss, "Next")).number).toBe("SOP-0005");
  });

  test("are found again by a new import of the same documents, not by other documents of the same path", async () => {
    const { boss, other } = await people();
    const stopped = importer(boss);
    await stopped.reserve(...abc);
    await stopped.store(abc[0]!);
    const again = importer(other);
    const different = importer(boss);
    expect(await different.reserve({ name: "C", front: { title: "Another C" } })).toEqual(["SOP-0004"]);
    expect(await again.reserve(...abc)).toEqual(["SOP-0001", "SOP-0002", "SOP-0003"]);
    expect(await again.store(abc[1]!, abc[2]!)).toEqual(["create SOP-0002 v1", "create SOP-0003 v1"]);
    expect(await stopped.text("A")).toBe("See [B](/sop/SOP-0002) in B.\n\nSee [C](/sop/SOP-0003) in C.\n");
    expect(await again.text("B")).toBe("See [A](/sop/SOP-0001) in A.\n\nSee [C](/sop/SOP-0003) in C.\n");
  });

  test("are used by an import in one request that did not ask for them", async () => {
    const { boss } = await people();
    await importer(boss).reserve(abc[2]!);
    const importId = newId();
    const documents = [{ path: "C.md", sha256: sha256("C") }];
    const plan = await boss.client.sops.import({ body: { importId, dryRun: true, documents } });
    const one = importer(boss, importId);
    one.ids.set("C", plan.results[0]?.id ?? "");
    one.ids.set("A", "0198aaaa-0000-7000-8000-000000000001");
    expect(await one.store({ name: "D", links: ["C"] }, abc[2]!)).toEqual(["create SOP-0002 v1", "create SOP-0001 v1"]);
    expect(await one.text("D")).toBe("See [C](/sop/SOP-0001) in C.\n");
  });

  test("are the numbers that files ask for, also after the file asks for another one", async () => {
    const { boss } = await people();
    const one = importer(boss);
    const asks = (number: string): File => ({ name: "B", front: { number } });
    expect(await one.reserve(abc[0]!, asks("SOP-0042"))).toEqual(["SOP-0001", "SOP-0042"]);
    expect(await one.reserve(abc[0]!, asks("SOP-0043"))).toEqual(["SOP-0001", "SOP-0043"]);
    expect((await create(boss, "Free again", { number: "SOP-0042" })).number).toBe("SOP-0042");
    expect(await one.store({ name: "A", links: ["B"] })).toEqual(["create SOP-0001 v1"]);
    expect(await one.store(asks("SOP-0043"))).toEqual(["create SOP-0043 v1"]);
    expect(await one.text("A")).toBe("See [B](/sop/SOP-0043) in B.\n");
  });

  test("lead to one SOP each when several imports bring the same documents at once", async () => {
    const { boss, other } = await people();
    const names = Array.from({ length: 12 }, (_, index) => `D${index}`);
    const files = names.map((name, index): File => ({
      name,
      links: [names[(index + 5) % 12]!, names[(index + 9) % 12]!],
    }));
    const run = async (user: TestUser) => {
      const one = importer(user);
      for (let at = 0; at < 12; at += 4) await one.reserve(...files.slice(at, at + 4));
      for (let at = 0; at < 12; at += 3) await one.store(...files.slice(at, at + 3));
      return one;
    };
    const [first] = await Promise.all([run(boss), run(boss), run(other)]);
    const { data, total } = await boss.client.sops.list({ query: { limit: limits.pageSizeMax, total: "true" } });
    expect(total).toBe(12);
    const numberOf = new Map(data.map(({ title, number }) => [title, number]));
    for (const { name, links = [] } of files)
      expect(await first.text(name)).toBe(
        links.map((to) => `See [${to}](/sop/${numberOf.get(to)}) in ${to}.\n`).join("\n"),
      );
  });

  test("are no more than the company can have SOPs, and the rest gets the next ones", async () => {
    const company = await server().company({ maxSOPs: 2 });
    const boss = await company.user("manager");
    const one = importer(boss);
    expect(await one.reserve(...abc)).toEqual(["SOP-0001", "SOP-0002", undefined]);
    await company.set({ maxSOPs: 9 });
    expect(await one.store(...abc)).toEqual(["create SOP-0001 v1", "create SOP-0002 v1", "create SOP-0003 v1"]);
  });

  test("change nothing in a plan, and need the texts", async () => {
    const { boss } = await people();
    const document = { path: "A.md", sha256: sha256("A") };
    const body = { importId: newId(), documents: [document], reserveNumbers: true };
    expect(await refusal(boss.client.sops.import({ body }))).toContain("without its text");
    const text = fileTextOf({ title: "A" }, "Text.\n");
    const planned = { ...body, documents: [{ ...document, text }], dryRun: true };
    expect((await boss.client.sops.import({ body: planned })).results[0]?.number).toBeUndefined();
    expect(await server().db.forCompany(boss.companyId).collection("reserved_numbers").countDocuments({})).toBe(0);
    expect((await create(boss, "First")).number).toBe("SOP-0001");
  });
});
