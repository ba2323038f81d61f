import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { ApiError } from "#core/api/client.ts";
import { isAlwaysShown } from "#core/import/markdown/report.ts";
import { limits } from "#core/limits.ts";
import type { ImportRequest } from "#core/sops/import-schema.ts";
import { unknownId } from "../../../test/contract-rows.ts";
import { describeServer, type TestUser } from "../../../test/server.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const file = (path: string, text: string) => ({ path, text, sha256: sha256(text) });
type File = ReturnType<typeof file>;

describeServer("an import", (server) => {
  const manager = async () => (await server().company()).user("manager");

  const run = (
    user: TestUser,
    documents: readonly ((File & { baseVersion?: number }) | Omit<File, "text">)[],
    options: Partial<ImportRequest> = {},
  ) => user.client.sops.import({ body: { importId: randomUUID(), documents: [...documents], ...options } });
  const outcomes = async (...args: Parameters<typeof run>) =>
    (await run(...args)).results.map(
      ({ path, outcome, version }) => `${path} ${outcome}${version ? ` v${version}` : ""}`,
    );
  const total = async (user: TestUser) => (await user.client.sops.list({ query: { total: "true" } })).total;

  test("creates drafts once, and recognizes them the second time by their bytes", async () => {
    const user = await manager();
    const files = [
      file("safety/ladder.md", "# Ladders\n\nLook up.\n"),
      file("fire.md", "---\ntitle: Fire\ntags: [safety]\n---\n\nRun.\n"),
    ];
    const first = await run(user, files);
    expect(first.quota).toMatchObject({ needed: 2 });
    expect(first.results.map(({ outcome, title, number }) => [outcome, title, number])).toEqual([
      ["create", "Ladders", "SOP-0001"],
      ["create", "Fire", "SOP-0002"],
    ]);
    const { data } = await user.client.sops.list();
    expect(data.map(({ status, version, tags }) => [status, version, tags])).toEqual(
      expect.arrayContaining([
        ["draft", 1, []],
        ["draft", 1, ["safety"]],
      ]),
    );
    expect(await outcomes(user, files)).toEqual(["safety/ladder.md unchanged v1", "fire.md unchanged v1"]);
    // asked with hashes alone, as the command does first
    const hashes = [...files, file("new.md", "New")].map(({ path, sha256: hash }) => ({ path, sha256: hash }));
    expect(await outcomes(user, hashes, { dryRun: true })).toEqual([
      "safety/ladder.md unchanged v1",
      "fire.md unchanged v1",
      "new.md unknown",
    ]);
    expect(await total(user)).toBe(2);
    const events = await server()
      .db.forCompany(user.companyId)
      .collection("repo_events")
      .find({}, { sort: { seq: 1 } });
    expect(events.map(({ type, items }) => [type, items.length])).toEqual([
      ["found", 0],
      ["import", 2],
    ]);
  });

  test("makes a changed file the next version, unless the SOP was changed here", async () => {
    const user = await manager();
    await run(user, [file("a.md", "# A\n\nOne\n"), file("b.md", "# B\n\nOne of B\n")]);
    const changed = [file("a.md", "# A\n\nTwo\n"), file("b.md", "# B\n\nTwo of B\n")];
    const { results } = await run(user, changed, { dryRun: true });
    expect(results.map(({ outcome, version }) => [outcome, version])).toEqual([
      ["update", 2],
      ["update", 2],
    ]);
    expect(await total(user)).toBe(2);
    const id = results[1]?.id ?? "";
    await user.client.sops.update({ params: { id }, body: { markdown: "Changed here" } });
    expect(await outcomes(user, changed)).toEqual(["a.md update v2", "b.md conflict v2"]);
    const again = await run(user, changed);
    expect(again.results[1]?.reason).toContain("version 2");
    expect((await user.client.sops.get({ params: { id } })).markdown).toBe("Changed here\n");
    expect(await outcomes(user, changed, { onConflict: "theirs" })).toEqual(["a.md unchanged v2", "b.md update v3"]);
    await user.client.sops.update({ params: { id }, body: { markdown: "Changed again" } });
    const third = [file("b.md", "# B\n\nThree of B\n")];
    expect(await outcomes(user, third, { onConflict: "copy" })).toEqual(["b.md create v1"]);
    expect(await total(user)).toBe(3);
    // the copy is known: it is not created again, and is no longer a conflict
    expect(await outcomes(user, third, { onConflict: "copy" })).toEqual(["b.md unchanged v1"]);
    expect(await outcomes(user, third)).toEqual(["b.md unchanged v1"]);
  });

  test("doesn't take another document of the same path for the next version", async () => {
    const user = await manager();
    await run(user, [file("docs/index.md", "# Overview\n\nRead this first.\n")]);
    const other = [file("docs/index.md", "# Home\n\nWelcome to the site.\n")];
    expect((await run(user, other)).results[0]).toMatchObject({
      outcome: "conflict",
      reason: expect.stringContaining("“Overview” came from this path") as string,
    });
    expect(await outcomes(user, other, { onConflict: "copy" })).toEqual(["docs/index.md create v1"]);
    expect(await outcomes(user, other)).toEqual(["docs/index.md unchanged v1"]);
    expect(await total(user)).toBe(2);
  });

  test("keeps a note in the history of every version it creates", async () => {
    const user = await manager();
    const notes = async () => {
      const [sop] = (await user.client.sops.list()).data;
      return (await user.client.sops.versions({ params: { id: sop?.id ?? "" } })).map(({ changeNote }) => changeNote);
    };
    await run(user, [file("a.md", "# A\n\nOne.\n")], { note: "  First draft " });
    await run(user, [file("a.md", "# A\n\nTwo.\n")]);
    expect(await notes()).toEqual([null, "First draft"]);
  });

  test("recognizes an exported file as unchanged, the next version, or stale", async () => {
    const user = await manager();
    const { id } = await user.client.sops.create({ body: { title: "T", description: "D", markdown: "One" } });
    const exported = (await user.send({ path: `/api/sops/${id}/export` })).body;
    expect(await outcomes(user, [file("anywhere/t.md", exported)])).toEqual(["anywhere/t.md unchanged v1"]);
    const edited = exported.replace("One", "Two");
    expect(await outcomes(user, [file("t.md", edited)])).toEqual(["t.md update v2"]);
    // version 1 says nothing that is not known; a change based on it would undo version 2
    expect(await outcomes(user, [file("t.md", exported)])).toEqual(["t.md unchanged v2"]);
    expect(await outcomes(user, [file("t.md", exported.replace("One", "Three"))])).toEqual(["t.md conflict v2"]);
    expect((await user.client.sops.get({ params: { id } })).markdown).toBe("Two\n");
    // a file of another company's SOP is a new document here
    const other = await manager();
    expect(await outcomes(other, [file("t.md", exported)])).toEqual(["t.md create v1"]);
    expect((await other.client.sops.list()).data[0]?.id).not.toBe(id);
  });

  test("of a file without its version takes back no change that the file didn't see", async () => {
    const company = await server().company();
    const [user, other] = [await company.user("manager"), await company.user("manager")];
    const { id } = await user.client.sops.create({ body: { title: "T", description: "D", markdown: "One" } });
    const exported = (await user.send({ path: `/api/sops/${id}/export` })).body;
    const bare = exported.replace(/^version: .*\n/m, "");
    expect(bare).not.toBe(exported);
    // the one version that the file can be made from
    expect(await outcomes(user, [file("t.md", bare)])).toEqual(["t.md unchanged v1"]);
    expect(await outcomes(other, [file("t.md", exported.replace("One", "Two"))])).toEqual(["t.md update v2"]);
    const numbered = bare.replace(/^id: .*\n/m, "");
    for (const [at, text] of [bare, numbered].entries()) {
      const older = file(`t${at}.md`, text.replace("One", "One, and more"));
      expect((await run(user, [older])).results[0]).toMatchObject({
        outcome: "conflict",
        reason:
          "The file has no version, so it can be older than version 2 of the SOP. Add a line such as version: 2, with the version that you edited. Choose --on-conflict theirs to replace the SOP's text, or copy for a new SOP",
      });
      expect(["conflict", "unchanged"]).toContain((await run(user, [file(`u${at}.md`, text)])).results[0]?.outcome);
      const latest = file(`v${at}.md`, text.replace("One", "Two"));
      expect(await outcomes(user, [latest])).toEqual([`v${at}.md unchanged v2`]);
      expect((await user.client.sops.get({ params: { id } })).markdown).toBe("Two\n");
    }
    const edited = bare.replace("One", "Two, and more");
    const based = file("w.md", edited.replace("---\n", "---\nversion: 2\n"));
    expect(await outcomes(user, [based])).toEqual(["w.md update v3"]);
    expect(await outcomes(user, [file("x.md", bare)], { onConflict: "theirs" })).toEqual(["x.md update v4"]);
    // a workspace knows the base of its files
    const known = { ...file("y.md", edited), baseVersion: 4 };
    expect(await outcomes(user, [{ ...known, baseVersion: 1 }])).toEqual(["y.md conflict v4"]);
    expect(await outcomes(user, [known])).toEqual(["y.md update v5"]);
  });

  test("from a path takes back no newer import of another user, only its own", async () => {
    const company = await server().company();
    const [user, other] = [await company.user("manager"), await company.user("manager")];
    const foreign = `---\nid: ${unknownId}\nversion: 7\ntitle: B\n---\n\n`;
    const both = (text: string) => [file("a.md", `# A\n\n${text}\n`), file("b.md", `${foreign}${text}\n`)];
    await run(user, both("One"));
    const mine = await run(user, both("One, and more"));
    expect(mine.results.map(({ outcome }) => outcome)).toEqual(["update", "update"]);
    // the same folder of another user: the first import of hers is no base either
    const reason =
      "Version 2 came from the import of another user, and the file can be older. Choose --on-conflict theirs to replace the SOP's text, or copy for a new SOP";
    for (const text of ["One", "Other"]) {
      const { results } = await run(other, both(text));
      expect(results).toMatchObject(["a.md", "b.md"].map((path) => ({ path, outcome: "conflict", reason })));
    }
    expect(await outcomes(other, both("One, and more"))).toEqual(["a.md unchanged v2", "b.md unchanged v2"]);
    expect(await outcomes(other, both("Other"), { onConflict: "theirs" })).toEqual([
      "a.md update v3",
      "b.md update v3",
    ]);
    expect(await outcomes(user, both("One"))).toEqual(["a.md conflict v3", "b.md conflict v3"]);
    expect(await outcomes(other, both("Another"))).toEqual(["a.md update v4", "b.md update v4"]);
  });

  test("finds its SOP by the number, however it is written", async () => {
    const user = await manager();
    await outcomes(user, [file("a.md", "# First\n\nOne\n"), file("b.md", "# Second\n\nTwo\n")]);
    for (const [at, number] of ["sop-0002", "Sop-2", " SOP-0002 "].entries())
      expect(await outcomes(user, [file(`n${at}.md`, `---\nsop: "${number}"\ntitle: Second\n---\n\nTwo\n`)])).toEqual([
        `n${at}.md unchanged v1`,
      ]);
    const { id } = await user.client.sops.get({ params: { id: "SOP-0002" } });
    const shouted = `---\nid: ${id.toUpperCase()}\nsop: sop-0002\ntitle: Second\nversion: 1\n---\n\nTwo more\n`;
    expect(await outcomes(user, [file("c.md", shouted)])).toEqual(["c.md update v2"]);
    expect(await total(user)).toBe(2);
  });

  test("conflicts where the number is known and the id is not", async () => {
    const user = await manager();
    await outcomes(user, [file("a.md", "# First\n\nOne\n")]);
    const foreign = (sop: string, id = unknownId) =>
      file(`${sop}.md`, `---\nid: ${id}\nsop: ${sop}\nversion: 1\ntitle: First\n---\n\nOther\n`);
    const { results } = await run(user, [foreign("SOP-0001")]);
    expect(results[0]).toMatchObject({
      outcome: "conflict",
      reason: expect.stringContaining("“First” has the number SOP-0001 and another id"),
    });
    expect(await total(user)).toBe(1);
    const copied = await run(user, [foreign("sop-1")], { onConflict: "copy" });
    expect(copied.results[0]).toMatchObject({ outcome: "create", number: "SOP-0002" });
    // numbers of elsewhere don't meet those that an import gave here
    const [one, two] = [unknownId.replace("01970000", "01970002"), unknownId.replace("01970000", "01970003")];
    expect(await outcomes(user, [foreign("SOP-0009", one)])).toEqual(["SOP-0009.md create v1"]);
    expect(await outcomes(user, [foreign("SOP-0003", two)])).toEqual(["SOP-0003.md create v1"]);
  });

  test("doesn't make two SOPs of files with one id or with the same bytes", async () => {
    const user = await manager();
    const twin = (title: string) => `---\nid: ${unknownId}\ntitle: ${title}\n---\n\nText of ${title}\n`;
    const answer = await run(user, [
      file("a.md", twin("A")),
      file("b.md", twin("B")),
      file("c.md", "# Same\n\nx\n"),
      file("d.md", "# Same\n\nx\n"),
    ]);
    expect(answer.results.map(({ outcome }) => outcome)).toEqual(["create", "refused", "create", "duplicate"]);
    expect(answer.results[1]?.reason).toContain("a.md");
    expect(answer.results[3]?.reason).toContain("c.md");
    // also when they come in two requests of one run
    const importId = randomUUID();
    await run(user, [file("e.md", twin("E").replace("01970000", "01970001"))], { importId });
    const second = await run(user, [file("f.md", twin("F").replace("01970000", "01970001"))], { importId });
    expect(second.results[0]).toMatchObject({ outcome: "refused", reason: expect.stringContaining("e.md") });
    expect(await total(user)).toBe(3);
  });

  test("refuses an unreadable file with the reason and continues with the others", async () => {
    const user = await manager();
    const answer = await run(user, [
      file("empty.md", ""),
      file("js.md", "---js\nmodule.exports = process.exit()\n---\n# A\n"),
      file("broken.md", "---\ntitle: [\n---\n# B\n"),
      file("huge.md", `# Huge\n\n${"long ".repeat(240_000)}\n`),
      file("good.md", "\ufeff# Good\r\n\r\nText\r\n"),
    ]);
    const table = answer.results.map(({ path, outcome, reason }) => [path, outcome, reason === undefined]);
    expect(table.slice(0, 2).concat(table.slice(3))).toEqual([
      ["empty.md", "refused", false],
      ["js.md", "refused", false],
      ["huge.md", "refused", false],
      ["good.md", "create", true],
    ]);
    const { data } = await user.client.sops.list({ query: { search: "good" } });
    expect(data[0]?.title).toBe("Good");
  });

  test("makes no category of the folder of SOPs without one", async () => {
    const user = await manager();
    const documents = [
      file("sops/uncategorized/a.md", "# A\n\n1\n"),
      file("b.md", "---\ncategory: Uncategorized\n---\n# B\n\n2\n"),
    ];
    const before = await user.client.categories.list();
    await run(user, documents, { createCategories: true });
    expect((await user.client.categories.list()).map(({ name }) => name)).toEqual(before.map(({ name }) => name));
    expect((await user.client.sops.list()).data.map(({ title, categoryId }) => [title, categoryId])).toEqual([
      ["B", null],
      ["A", null],
    ]);
    const named = { ...file("c", "# C\n\n3\n"), folders: ["Uncategorized"] };
    await expect(run(user, [named], { createCategories: true })).rejects.toMatchObject({
      details: { name: "This name means “no category”. Choose another one" },
    });
  });

  test("makes folders to categories inside categories, and adds tags", async () => {
    const user = await manager();
    const at = (path: string, folders: string[], tags: string[] = []) => ({
      ...file(path, `---\ntitle: ${path}\ntags: [own]\n---\n\n${path}\n`),
      folders,
      tags,
    });
    const documents = [
      at("root", []),
      at("one", ["IT Operations"]),
      at("two", ["it-operations", "Network"], ["wifi", "own"]),
      at("three", ["Finance", "network"]),
      at("four", ["安全", "消防"]),
      at("five", ["Network", "Deep"]),
    ];
    await run(user, documents, { createCategories: true });
    const { data } = await user.client.sops.list();
    const categories = await user.client.categories.list();
    const places = data.map(({ title, tags, category }) => {
      const own = categories.find(({ name }) => name === category?.name);
      const outer = categories.find(({ id }) => id === own?.parentId);
      return [title, tags, outer?.name ?? null, own?.name ?? null];
    });
    expect(places.toSorted()).toEqual(
      [
        ["root", ["own"], null, null],
        ["one", ["own"], null, "IT Operations"],
        ["two", ["own", "wifi"], "IT Operations", "Network"],
        ["three", ["own"], "Finance", "network (Finance)"],
        ["four", ["own"], "安全", "消防"],
        // a category inside another one contains none
        ["five", ["own"], "IT Operations", "Network"],
      ].toSorted(),
    );
    const before = categories.length;
    const more = [at("six", ["finance", "NETWORK"]), at("seven", ["unknown", "x"]), at("eight", ["Finance", "new"])];
    await run(user, more);
    const after = await user.client.sops.list();
    const placed = Object.fromEntries(after.data.map(({ title, category }) => [title, category?.name ?? null]));
    expect(placed).toMatchObject({ six: "network (Finance)", seven: null, eight: "Finance" });
    expect(await user.client.categories.list()).toHaveLength(before);
    // a path with a folder that names a category changes nothing where the folders are said
    await run(user, [at("Finance/nine", [])]);
    const last = (await user.client.sops.list()).data.find(({ title }) => title === "Finance/nine");
    expect(last?.category ?? null).toBeNull();
  });

  test("names a category of the file that doesn't count: no text, unknown, or longer than the API takes", async () => {
    const user = await manager();
    const headed = (name: string, category: string) =>
      file(`${name}.md`, `---\ntitle: ${name}\ncategory: ${category}\n---\n\n${name}.\n`);
    const notesOn = ({ results }: Awaited<ReturnType<typeof run>>) =>
      results.map(({ notes }) =>
        notes.filter(isAlwaysShown).map(({ line, code }) => (line === undefined ? code : `${code}:${line}`)),
      );
    const files = [headed("a", "[Finance]"), headed("b", "{a: Finance}"), headed("c", "true"), headed("d", "Finance")];
    const named = [["unread-category:3"], ["unread-category:3"], ["category-unknown"], []];
    expect(notesOn(await run(user, files))).toEqual(named);
    const long = "L".repeat(limits.categoryCharacters + 1);
    const created = await run(user, [headed("e", "2024"), headed("f", long), file(`${long}/g.md`, "# g\n\ng.\n")], {
      createCategories: true,
    });
    expect(notesOn(created)).toEqual([[], ["category-unknown"], []]);
    const names = (await user.client.categories.list()).map(({ name }) => name);
    expect(names).toContain("2024");
    expect(names).not.toContain(long);

    // an SOP keeps its category, whatever its file says
    const again = file("a.md", "---\ntitle: a\ncategory: [Finance]\n---\n\nA second text.\n");
    expect(await run(user, [again])).toMatchObject({ results: [{ outcome: "update" }] });
    const third = file("a.md", "---\ntitle: a\ncategory: [Finance]\n---\n\nA third text.\n");
    expect(notesOn(await run(user, [third]))).toEqual([[]]);
  });

  test("takes the category from a folder or a foreign name; the answer names files without one", async () => {
    const user = await manager();
    const answer = await run(user, [
      file("it-operations/a.md", "# A\n\n1\n"),
      file("x/Safety Protocols/deep/b.md", "# B\n\n2\n"),
      file("c.md", "---\ntitle: C\ncategory: Finance\n---\n\n3\n"),
      file("kitchen/d.md", "# D\n\n4\n"),
    ]);
    expect(answer.results.map(({ notes }) => notes.some(({ code }) => code === "uncategorized"))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    const { data } = await user.client.sops.list();
    const placed = Object.fromEntries(data.map(({ title, category }) => [title, category?.name ?? null]));
    expect(placed).toEqual({ A: "IT Operations", B: "Safety Protocols", C: "Finance", D: null });
    await expect(run(user, [file("y/e.md", "# E\n\n5\n")], { category: "nothing" })).rejects.toMatchObject({
      status: 400,
    });
    await run(user, [file("y/e.md", "# E\n\n5\n")], { category: "hr-procedures" });
    await run(user, [file("lab/f.md", "# F\n\n6\n"), file("lab/g.md", "# G\n\n7\n")], { createCategories: true });
    const categories = await user.client.categories.list();
    expect(categories.map(({ slug, count }) => [slug, count])).toEqual([
      ["hr-procedures", 1],
      ["safety-protocols", 1],
      ["it-operations", 1],
      ["finance", 1],
      ["lab", 2],
    ]);
    const editor = await (await server().company()).user("editor");
    await expect(run(editor, [file("lab/f.md", "# F\n")], { createCategories: true })).rejects.toMatchObject({
      status: 403,
    });
    const audit = server().db.forCompany(user.companyId).collection("audit_logs");
    expect(await audit.countDocuments({ action: "category.create" })).toBe(1);
    // the ledger stays without a gap, and the repository takes it
    await server().running.services.repositories.drain(user.companyId);
    expect(await user.client.repository.get()).toMatchObject({ lag: 0 });
  });

  test("is refused before it writes if the quota is too small, with the free and needed number", async () => {
    const user = await (await server().company({ maxSOPs: 2 })).user("manager");
    const files = [1, 2, 3].map((n) => file(`${n}.md`, `# ${n}\n\n${n}\n`));
    expect((await run(user, files, { dryRun: true })).quota).toMatchObject({ free: 2, needed: 3 });
    await expect(run(user, files)).rejects.toMatchObject({ code: "limit_reached", details: { free: 2, needed: 3 } });
    expect(await total(user)).toBe(0);
    const stored = server().db.forCompany(user.companyId);
    expect(await stored.collection("sop_sources").countDocuments({})).toBe(0);
    expect(await stored.collection("sop_versions").countDocuments({})).toBe(0);
    expect((await run(user, files.slice(0, 2))).quota).toMatchObject({ free: 0, needed: 2 });
  });

  test("creates each SOP once, also if the same files are imported twice at once", async () => {
    const user = await manager();
    const files = Array.from({ length: 12 }, (_, n) => file(`lab/${n}.md`, `# Number ${n}\n\nText ${n}\n`));
    const both = await Promise.all([
      run(user, files, { createCategories: true }),
      run(user, files, { createCategories: true }),
    ]);
    const made = both.flatMap(({ results }) => results.filter(({ outcome }) => outcome === "create"));
    expect(made.length).toBe(12);
    expect(await total(user)).toBe(12);
    expect(
      (await user.client.categories.list()).filter(({ slug }) => slug === "lab").map(({ count }) => count),
    ).toEqual([12]);
  });

  test("accepts a document without its text only in a dry run, and no import of a user who can't write", async () => {
    const company = await server().company();
    const [user, viewer] = [await company.user("contributor"), await company.user("viewer")];
    await expect(run(user, [{ path: "a.md", sha256: sha256("a") }])).rejects.toMatchObject({ status: 400 });
    await expect(run(viewer, [file("a.md", "# A\n")])).rejects.toMatchObject({ status: 403 });
    const tooMany = Array.from({ length: 51 }, (_, n) => file(`${n}.md`, `# ${n}\n`));
    await expect(run(user, tooMany)).rejects.toMatchObject({ status: 400 });
  });

  test("changes only what its user can change, and reveals nothing hidden from the user", async () => {
    const company = await server().company();
    const [manager, contributor] = [await company.user("manager"), await company.user("contributor")];
    const { id } = await manager.client.sops.create({ body: { title: "T", description: "D", markdown: "zanzibar" } });
    const stolen = `---\nid: ${id}\nversion: 1\ntitle: Mine\n---\n\nMine\n`;
    const hidden = await run(contributor, [file("t.md", stolen)]);
    expect(hidden.results[0]?.outcome).not.toBe("update");
    expect(JSON.stringify(hidden)).not.toContain("zanzibar");
    expect((await manager.client.sops.get({ params: { id } })).version).toBe(1);
    await manager.client.sops.publish({ params: { id }, body: {} });
    expect((await run(contributor, [file("t.md", stolen)], { onConflict: "theirs" })).results[0]).toMatchObject({
      outcome: "refused",
    });
    await manager.client.sops.archive({ params: { id }, body: {} });
    expect((await run(manager, [file("t.md", stolen)])).results[0]).toMatchObject({
      outcome: "refused",
      reason: expect.stringContaining("archived"),
    });
  });

  test("runs once for one Idempotency-Key", async () => {
    const user = await manager();
    const body = { importId: randomUUID(), documents: [file("a.md", "# A\n\n1\n")] };
    const first = await user.client.sops.import({ body, idempotencyKey: "one" });
    expect(await user.client.sops.import({ body, idempotencyKey: "one" })).toEqual(first);
    expect(first.results[0]?.outcome).toBe("create");
    expect(
      await user.client.sops
        .import({ body: { ...body, dryRun: true }, idempotencyKey: "one" })
        .catch((error: ApiError) => error.status),
    ).toBe(422);
  });
});
