/** Faults that need two things at the same time. The tests make them happen. */
import { expect, test } from "vitest";
import { moveToCategoryStep } from "#core/life-cycle/update.ts";
import { createCompanyCache } from "../../server/companies/cache.ts";
import type { Collections } from "../../server/database/documents.ts";
import type { Database } from "../../server/database/port.ts";
import { writeSops } from "../../server/sops/edit/write.ts";
import { describeServer } from "../server.ts";

const draft = { title: "T", description: "D", markdown: "M" };

describeServer("at once", (server) => {
  test("categories read before a change and answered after it are not kept", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    const answered = Promise.withResolvers<void>();
    const slow = {
      forCompany: (id: string) => ({
        collection: () => ({
          async find() {
            const found = await server().db.forCompany(id).collection("categories").find({});
            await answered.promise;
            return found;
          },
        }),
      }),
      watch: () => () => undefined,
    } as unknown as Database<Collections>;
    const cache = createCompanyCache(slow, { note() {} });
    const before = cache.categories(company.id);
    await manager.client.categories.create({ body: { name: "New" } });
    cache.forget(company.id);
    answered.resolve();
    expect((await before).length).toBe(4);
    expect((await cache.categories(company.id)).length).toBe(5);
  });

  test("a list of categories that is a moment old puts no wrong path into the ledger", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    const category = await manager.client.categories.create({ body: { name: "New" } });
    const { id } = await manager.client.sops.create({ body: { ...draft, categoryId: category.id } });
    const [sop] = await server().db.collection("sops").find({ _id: id });
    if (!sop) throw new Error("not there");
    const author = {
      user: { _id: manager.id, name: manager.name, companyId: company.id },
      origin: null,
      at: server().clock.now(),
    };
    await server().db.transaction((tx) =>
      writeSops(tx, author, [{ before: sop, steps: [moveToCategoryStep(sop, null, author.at, true)] }], {
        categories: [],
        room: { texts: Infinity, limit: Infinity },
      }),
    );
    const [event] = await server()
      .db.forCompany(company.id)
      .collection("repo_events")
      .find({ type: "move" }, { sort: { seq: 1 } });
    expect(event?.items[0]?.before?.path).toBe("sops/new/sop-0001-t.md");
    const { repositories } = server().running.services;
    repositories.wake(company.id);
    await repositories.drain(company.id);
    expect(await manager.client.repository.get()).toMatchObject({ lag: 0 });
  });

  test("two changes of one category both stand, and one that changes nothing makes no commit", async () => {
    const manager = await (await server().company()).user("manager");
    const [category] = await manager.client.categories.list();
    const params = { id: category?.id ?? "" };
    await Promise.all([
      manager.client.categories.update({ params, body: { name: "People" } }),
      manager.client.categories.update({ params, body: { color: "warning" } }),
    ]);
    const [after] = await manager.client.categories.list();
    expect(after).toMatchObject({ name: "People", color: "warning" });
    const ledger = () => server().db.forCompany(manager.companyId).collection("repo_events").countDocuments({});
    const events = await ledger();
    await manager.client.categories.update({ params, body: after ?? {} });
    expect(await ledger()).toBe(events);
    await expect(manager.client.categories.update({ params, body: { name: "finance" } })).rejects.toMatchObject({
      status: 409,
    });
  });
});
