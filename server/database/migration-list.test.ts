import { expect, test } from "vitest";
import { describeEachEngine } from "../../test/database/each-engine.ts";
import { declarations } from "./collections.ts";
import type { Collections } from "./documents.ts";
import { migrations } from "./migration-list.ts";
import type { Transaction } from "./port.ts";

describeEachEngine<Collections>("migrations of stored records", declarations, (open) => {
  test("10: recreates keys from before letters like ø were folded, and keeps all others", async () => {
    const before = await open({ name: "keys", migrations: migrations.slice(0, 9) });
    const user = (name: string, nameKey: string, words: string[]) =>
      ({
        _id: name,
        name,
        username: nameKey.slice(0, 3),
        email: null,
        status: "active",
        nameKey,
        words,
      }) as unknown as Collections["users"];
    const ada = user("Ada", "ada", ["ada"]);
    const soren = user("Søren Łuk", "søren łuk", ["søren", "łuk", "sør"]);
    await before.collection("users").insertMany([ada, soren]);
    const labs = { _id: "c", name: "Ærø Labs", slug: "labs", industry: null, nameKey: "ærø labs", words: ["ærø"] };
    await before.collection("companies").insertOne(labs as unknown as Collections["companies"]);
    await before.close();
    const after = await open({ name: "keys", migrations: migrations.slice(0, 10) });
    expect(await after.collection("users").find({}, { sort: { nameKey: 1 } })).toEqual([
      ada,
      { ...soren, nameKey: "soren luk", words: ["soren", "luk", "sor"] },
    ]);
    expect(await after.collection("companies").findOne({ _id: "c" })).toEqual({
      ...labs,
      nameKey: "aero labs",
      words: ["aero", "labs"],
    });
    await after.close();
  });

  test("11: renames the fields of comments to the specification's names", async () => {
    const before = await open({ name: "comments", migrations: migrations.slice(0, 10) });
    const [created, edited] = ["2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"];
    const times = { createdAt: created, editedAt: edited, resolvedAt: null, removedAt: null };
    const comment = { _id: "c", companyId: "one", sopId: "s", body: "Why?", authorId: "ann", ...times };
    await before.collection("comments").insertOne(comment as unknown as Collections["comments"]);
    await before.close();
    const after = await open({ name: "comments", migrations: migrations.slice(0, 11) });
    expect(await after.collection("comments").findOne({ _id: "c" })).toEqual({
      _id: "c",
      companyId: "one",
      sopId: "s",
      ...times,
      content: "Why?",
      userId: "ann",
      updatedAt: edited,
    });
    await after.close();
  });

  test("13: counts the bytes of stored assets for each company", async () => {
    const before = await open({ name: "bytes", migrations: migrations.slice(0, 12) });
    for (const _id of ["north", "south"])
      await before
        .collection("companies")
        .insertOne({ _id, name: _id, slug: _id } as unknown as Collections["companies"]);
    for (const [_id, size] of [
      ["a", 3],
      ["b", 4],
    ] as const)
      await before
        .collection("assets")
        .insertOne({ _id, companyId: "north", sha256: _id, size, uploadedBy: "u" } as unknown as Collections["assets"]);
    await before.close();
    const after = await open({ name: "bytes", migrations: migrations.slice(0, 13) });
    const companies = await after.collection("companies").find({}, { sort: { _id: 1 } });
    expect(companies.map(({ assetBytes, maxBytes }) => [assetBytes, maxBytes])).toEqual([
      [7, null],
      [0, null],
    ]);
    await after.close();
  });

  test("14: stores the published version as one object with its effective date", async () => {
    const before = await open({ name: "published", migrations: migrations.slice(0, 13) });
    const [saved, effective] = ["2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"];
    const version = { version: 2, title: "Two", contentHash: "h2", updatedAt: saved };
    const flags = { hasForce: false, isPublished: false };
    const none = { inForce: null, publishedVersion: null, effectiveAt: null, lastInForce: null, scheduled: null };
    const stored = [
      { _id: "draft", ...none, ...flags },
      { _id: "last", ...none, ...flags, lastInForce: { version: 1, title: "One", contentHash: "h1" } },
      {
        _id: "published",
        ...none,
        inForce: version,
        publishedVersion: 2,
        effectiveAt: effective,
        hasForce: true,
        isPublished: true,
      },
    ].map((sop, index) => ({ companyId: "one", number: index, ...sop }));
    await before.collection("sops").insertMany(stored as unknown as Collections["sops"][]);
    const categories = { it: { heads: 3, inForce: 1 }, none: { heads: 1 } };
    const heads = { draft: 3, published: 1 };
    const counted = {
      _id: "one",
      companyId: "one",
      heads,
      inForce: 1,
      categories,
    } as unknown as Collections["counters"];
    await before.collection("counters").insertOne(counted);
    await before.close();
    const after = await open({ name: "published", migrations: migrations.slice(0, 14) });
    const sops = await after.collection("sops").find({}, { sort: { number: 1 } });
    const now = { companyId: "one", scheduled: null, published: null, lastPublished: null };
    const nowFlags = { hasPublished: false, matchesPublished: false };
    expect(sops).toEqual([
      { _id: "draft", number: 0, ...now, ...nowFlags },
      { _id: "last", number: 1, ...now, ...nowFlags, lastPublished: { version: 1, title: "One", contentHash: "h1" } },
      {
        _id: "published",
        number: 2,
        ...now,
        published: { ...version, effectiveAt: effective },
        hasPublished: true,
        matchesPublished: true,
      },
    ]);
    expect(await after.collection("counters").findOne({ _id: "one" })).toEqual({
      _id: "one",
      companyId: "one",
      byStatus: heads,
      published: 1,
      categories: { it: { live: 3, published: 1 }, none: { live: 1 } },
    });
    await after.close();
  });

  test("17: an SOP keeps its number as people see it", async () => {
    const before = await open({ name: "numbers", migrations: migrations.slice(0, 16) });
    const sops = [7, 12_345].map((number) => ({ _id: `${number}`, companyId: "one", number }));
    await before.collection("sops").insertMany(sops as unknown as Collections["sops"][]);
    await before.close();
    const after = await open({ name: "numbers", migrations: migrations.slice(0, 17) });
    expect(await after.collection("sops").find({}, { sort: { number: 1 } })).toEqual([
      { ...sops[0], label: "SOP-0007", labelKey: "sop-000000007" },
      { ...sops[1], label: "SOP-12345", labelKey: "sop-000012345" },
    ]);
    await after.close();
  });

  test("15: finds the links in the latest, published and scheduled version of each SOP", async () => {
    const before = await open({ name: "links", migrations: migrations.slice(0, 14) });
    const id = "0198f0c2-5b7e-7c11-9a44-000000000001";
    const sops = [
      { _id: "a", number: 1, version: 3, published: { version: 2 }, scheduled: { version: 1 } },
      { _id: "b", number: 2, version: 1, published: null, scheduled: null },
    ].map((sop) => ({ companyId: "one", ...sop }));
    const texts = [
      ["a", 1, "[x](/sop/SOP-0009)"],
      ["a", 2, `[x](/sop/${id}) [y](/sop/SOP-0002)`],
      ["a", 3, "[y](/sop/sop-2) `[z](/sop/SOP-0003)`"],
      ["b", 1, "No links"],
    ].map(([sopId, version, markdown]) => ({ _id: `${sopId}${version}`, companyId: "one", sopId, version, markdown }));
    await before.collection("sops").insertMany(sops as unknown as Collections["sops"][]);
    await before.collection("sop_versions").insertMany(texts as unknown as Collections["sop_versions"][]);
    await before.close();
    const after = await open({ name: "links", migrations: migrations.slice(0, 15) });
    const [a, b] = await after.collection("sops").find({}, { sort: { number: 1 } });
    expect(a).toMatchObject({
      linksTo: ["SOP-0002"],
      linkedAny: ["SOP-0002", id],
      published: { version: 2, linksTo: [id, "SOP-0002"] },
      scheduled: { version: 1, linksTo: ["SOP-0009"] },
    });
    expect(b).toMatchObject({ linksTo: [], linkedAny: [], published: null, scheduled: null });
    expect(await after.collection("sops").find({ linkedAny: { $in: [id] } })).toHaveLength(1);
    await after.close();
  });

  test("16: no category is inside another one yet", async () => {
    const before = await open({ name: "nested", migrations: migrations.slice(0, 15) });
    await before.collection("categories").insertOne({ _id: "it", companyId: "one", name: "IT", slug: "it" } as never);
    await before.close();
    const after = await open({ name: "nested", migrations: migrations.slice(0, 16) });
    expect(await after.collection("categories").find({})).toMatchObject([{ _id: "it", parentId: null }]);
    await after.close();
  });

  test("18: a company says how many days a request to read proposes", async () => {
    const before = await open({ name: "days", migrations: migrations.slice(0, 17) });
    for (const [_id, settings] of [
      ["chosen", { readingDays: null }],
      ["unset", {}],
    ] as const)
      await before
        .collection("companies")
        .insertOne({ _id, slug: _id, settings } as unknown as Collections["companies"]);
    await before.close();
    const after = await open({ name: "days", migrations: migrations.slice(0, 18) });
    const companies = await after.collection("companies").find({}, { sort: { _id: 1 } });
    expect(companies.map(({ settings }) => settings.readingDays)).toEqual([null, 14]);
    await after.close();
  });

  test("4: begins one period for each published SOP, in two starts too", async () => {
    const before = await open({ name: "periods", migrations: migrations.slice(0, 3) });
    const ids = Array.from({ length: 230 }, (_, index) => String(index).padStart(3, "0"));
    const sops = ids.map((_id, index) => {
      const inForce = { version: 2, title: _id, contentHash: `h${_id}` };
      const effectiveAt = index % 2 === 0 ? null : "2026-02-01";
      return { _id, companyId: "one", number: index, hasForce: true, inForce, effectiveAt, updatedAt: "2026-01-01" };
    });
    const draft = { _id: "draft", companyId: "one", number: 900, hasForce: false, inForce: null };
    await before.collection("sops").insertMany([...sops, draft] as unknown as Collections["sops"][]);
    await before.close();
    let batches = 0;
    const until4 = migrations.slice(0, 4);
    const stopping = until4.map((migration) => ({
      ...migration,
      passes: migration.passes.map((pass) => ({
        ...pass,
        change: async (tx: Transaction<Collections>, documents: readonly never[]) => {
          await pass.change(tx, documents);
          if ((batches += 1) === 8) throw new Error("stopped");
        },
      })),
    })) as unknown as typeof until4;
    const stopped = await open({ name: "periods", migrations: stopping, prepare: false });
    await expect(stopped.prepare()).rejects.toThrow("failed after 561 documents: stopped");
    expect(await stopped.collection("published_periods").countDocuments({})).toBe(100);
    await stopped.close();
    const after = await open({ name: "periods", migrations: until4 });
    const periods = await after.collection("published_periods").find({}, { sort: { sopId: 1 } });
    expect(periods.map(({ _id, ...period }) => period)).toEqual(
      sops.map(({ _id, inForce, effectiveAt, updatedAt }) => {
        const from = effectiveAt ?? updatedAt;
        return { companyId: "one", sopId: _id, ...inForce, from, until: null };
      }),
    );
    const flags = await after.collection("sops").find({}, { projection: { isPublished: 1 } });
    expect(flags.filter((one) => (one as unknown as { isPublished: boolean }).isPublished)).toHaveLength(230);
    await after.close();
  });
});
