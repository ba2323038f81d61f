/** Readers find a version only in a category whose rule it has met, whichever way it came there. */
import { beforeAll, describe, expect, test } from "vitest";
import type { ApprovalRule } from "#core/companies/settings.ts";
import { ApiError } from "#core/api/client.ts";
import { publishStep } from "#core/life-cycle/publish.ts";
import type { LifeCycleStep } from "#core/life-cycle/step.ts";
import { moveToCategoryStep } from "#core/life-cycle/update.ts";
import { dayAfterDays } from "#core/periodic-review/rules.ts";
import { describeServer, type Company, type TestUser } from "../../../test/server.ts";
import { createCallBuilder } from "../../admin/demo/seed.ts";
import type { SopDocument } from "../../database/documents.ts";
import { changeSop, loadPublishingPolicy } from "./change.ts";
import { createSop } from "./create.ts";
import { publishDueVersions } from "./take-effect.ts";
import type { SopAuthor } from "./write.ts";

const draft = { title: "Clean the slicer", description: "D", markdown: "Pull the plug\n" };
const refused = (error: unknown) => {
  if (error instanceof ApiError) return `${error.status} ${error.serverMessage}`;
  throw error;
};

describeServer("the rule of a category", (server) => {
  let company: Company;
  let manager: TestUser;
  let editor: TestUser;
  let reviewer: TestUser;
  let second: TestUser;
  let viewer: TestUser;
  let [lax, strict, stricter] = ["", "", ""];

  beforeAll(async () => {
    company = await server().company();
    [manager, editor, viewer] = [
      await company.user("manager"),
      await company.user("editor"),
      await company.user("viewer"),
    ];
    [reviewer, second] = [await company.user("reviewer"), await company.user("reviewer")];
    const make = async (name: string, approvalRule: ApprovalRule | null) =>
      (
        await manager.client.categories.create({
          body: { name, approvalRule, requiresApproval: approvalRule !== null },
        })
      ).id;
    lax = await make("Notes", null);
    strict = await make("Food safety", { kind: "any", count: null });
    stricter = await make("Allergens", { kind: "n_of_m", count: 2 });
  });

  const create = async (categoryId: string, more: object = {}, author = manager) =>
    (await author.client.sops.create({ body: { ...draft, categoryId, ...more } })).id;
  const save = (user: TestUser, id: string, body: object) => user.client.sops.update({ params: { id }, body });
  const approved = async (id: string, ...approvers: TestUser[]) => {
    const body = { approverIds: approvers.map((one) => one.id) };
    const { id: request } = await editor.client.sops.requestApproval({ params: { id }, body });
    for (const one of approvers) await one.client.approvals.approve({ params: { id: request } });
  };
  const read = (id: string) => viewer.client.sops.get({ params: { id } });

  test("counts as one that needs approval when the category is lost", async () => {
    const id = await create(strict);
    const db = server().db.forCompany(company.id).collection("categories");
    const category = await db.findOne({ _id: strict });
    await db.deleteOne({ _id: strict });
    server().running.services.companies.forget(company.id);
    const publish = () => manager.client.sops.publish({ params: { id }, body: {} }).catch(refused);
    expect(await publish()).toMatch(/^409 .*approval/);
    if (category) await db.insertOne(category);
    server().running.services.companies.forget(company.id);
    expect(await publish()).toMatch(/^409 .*approval/);
  });

  test("prevents publishing in a strict category through a lax one", async () => {
    const id = await create(strict);
    const through = "409 SOPs of the category Food safety are published through approval only: use Submit for Approval";
    expect(await save(manager, id, { categoryId: lax, status: "published" }).catch(refused)).toBe(through);
    expect(await save(manager, id, { categoryId: null, status: "published" }).catch(refused)).toBe(through);
    expect(await read(id).catch(refused)).toMatch(/^404/);
    // in two saves it is published where no approval is asked for, and stays there for readers
    await save(manager, id, { categoryId: lax });
    await save(manager, id, { status: "published" });
    const back = await save(manager, id, { categoryId: strict });
    expect(back).toMatchObject({
      status: "draft",
      version: 2,
      categoryId: strict,
      markdown: draft.markdown,
      published: { version: 1 },
      publishedCategoryId: lax,
    });
    expect(await read(id)).toMatchObject({ status: "published", version: 1, categoryId: lax });
    const found = async (user: TestUser, category: string) =>
      (await user.client.sops.list({ query: { category } })).data.some((row) => row.id === id);
    expect([await found(viewer, lax), await found(viewer, strict)]).toEqual([true, false]);
    expect([await found(manager, lax), await found(manager, strict)]).toEqual([false, true]);
    for (const user of [viewer, manager]) {
      const counts = new Map((await user.client.categories.list()).map((one) => [one.id, one.count]));
      for (const category of [lax, strict, stricter])
        expect(counts.get(category)).toBe((await user.client.sops.list({ query: { category } })).data.length);
    }
    expect(await manager.client.sops.publish({ params: { id } }).catch(refused)).toBe(through);
    await approved(id, reviewer);
    expect(await read(id)).toMatchObject({ version: 2, categoryId: strict });
    await server().running.services.repositories.drain(company.id);
    expect(await manager.client.repository.get()).toMatchObject({ lag: 0 });
  });

  test("moves a version that meets it, and leaves one with too few approvals in its category", async () => {
    const id = await create(strict, {}, editor);
    await approved(id, reviewer);
    const moved = await save(editor, id, { categoryId: stricter, markdown: "Pull the plug first\n" });
    expect(moved).toMatchObject({ status: "draft", version: 2, categoryId: stricter, publishedCategoryId: strict });
    expect(await read(id)).toMatchObject({ version: 1, categoryId: strict });
    await approved(id, reviewer, second);
    expect(await read(id)).toMatchObject({ version: 2, categoryId: stricter });
    // two approvals are more than the other one asks for
    expect(await save(editor, id, { categoryId: strict })).toMatchObject({ status: "published", version: 2 });
    expect(await read(id)).toMatchObject({ version: 2, categoryId: strict });
    // archived and back, it is a draft without readers
    await manager.client.sops.archive({ params: { id } });
    await save(manager, id, { categoryId: stricter });
    await manager.client.sops.unarchive({ params: { id } });
    expect(await save(manager, id, { status: "published" }).catch(refused)).toMatch(/^409 .* Allergens /);
    expect(await read(id).catch(refused)).toMatch(/^404/);
  });

  test("applies on the effective date of a scheduled version, in the category it was published for", async () => {
    const today = server().clock.millis();
    const effectiveAt = new Date(today + 2 * 86_400_000).toISOString().slice(0, 10);
    const id = await create(lax, { effectiveAt, status: "published" });
    const moved = await save(manager, id, { categoryId: strict });
    expect(moved).toMatchObject({ status: "draft", version: 2, scheduled: { version: 1 } });
    const turned = await create(lax, { effectiveAt, status: "published" });
    const labs = await manager.client.categories.create({ body: { name: "Labs" } });
    await save(manager, turned, { categoryId: labs.id });
    await manager.client.categories.update({ params: { id: labs.id }, body: { requiresApproval: true } });
    server().clock.advance(3 * 86_400_000);
    await publishDueVersions.run(server().running.services, server().clock.now());
    const stored = async (one: string) => await server().db.collection("sops").findOne({ _id: one });
    expect(await stored(id)).toMatchObject({ published: { version: 1, categoryId: lax }, categoryId: strict });
    expect(await stored(turned)).toMatchObject({ published: null, scheduled: null, status: "draft" });
  });

  describe("that changes", () => {
    test("unpublishes nothing, holds for the next version, and is in the audit log with both values", async () => {
      const { id: categoryId } = await manager.client.categories.create({ body: { name: "Machines" } });
      const id = await create(categoryId, { status: "published" });
      await manager.client.categories.update({ params: { id: categoryId }, body: { requiresApproval: true } });
      const reads = async () => (await server().db.collection("sops").findOne({ _id: id }))?.published;
      expect(await reads()).toMatchObject({ version: 1, categoryId });
      expect(await save(manager, id, { markdown: "New\n", status: "published" })).toMatchObject({ status: "draft" });
      expect(await reads()).toMatchObject({ version: 1, categoryId });
      const log = await server().db.collection("audit_logs").find({ entityId: categoryId, action: "category.update" });
      expect(log.map(({ changes }) => changes)).toMatchObject([{ requiresApproval: { from: false, to: true } }]);
    });

    test("in another server's cache allows nothing: the write checks again", async () => {
      const { id: categoryId } = await manager.client.categories.create({ body: { name: "Chemicals" } });
      const published = await create(lax, { status: "published" });
      const [plain, moving] = [await create(categoryId), published];
      await manager.client.categories.list();
      // as another server would: this one's cache still has the old policy
      await server()
        .db.collection("categories")
        .updateOne({ _id: categoryId }, { $set: { requiresApproval: true } });
      expect(await manager.client.sops.publish({ params: { id: plain } }).catch(refused)).toMatch(/^409 .* Chemicals /);
      expect(await save(manager, moving, { categoryId })).toMatchObject({ status: "draft", publishedCategoryId: lax });
    });

    test.each(["publish", "schedule", "move"] as const)(
      "between the decision and the transaction stops a %s",
      async (verb) => {
        const { db, companies } = server().running.services;
        const { id: categoryId } = await manager.client.categories.create({ body: { name: `Changes before ${verb}` } });
        const id = await create(verb === "move" ? lax : categoryId, verb === "move" ? { status: "published" } : {});
        const sops = db.forCompany(company.id).collection("sops");
        const author: SopAuthor = {
          user: { _id: manager.id, name: manager.name, companyId: company.id },
          origin: null,
          at: server().clock.now(),
        };
        const load = async () => (await sops.findOne({ _id: id })) as SopDocument;
        const stepOf = (sop: SopDocument): LifeCycleStep => {
          if (verb === "move") return moveToCategoryStep(sop, categoryId, author.at, true);
          const effective = verb === "schedule" ? dayAfterDays(author.at, 2) : undefined;
          return publishStep(sop, { at: author.at, note: null, effective, reviewMonths: null });
        };
        let decisions = 0;
        const decide = async (sop: SopDocument) => {
          decisions += 1;
          if ((await loadPublishingPolicy({ companies }, company.id, categoryId)).control !== "flexible") return [];
          const steps = [stepOf(sop)];
          await manager.client.categories.update({ params: { id: categoryId }, body: { requiresApproval: true } });
          return steps;
        };
        const before = await load();
        await changeSop(server().running.services, author, id, load, decide);
        expect(decisions).toBe(2);
        expect(await load()).toEqual(before);
      },
    );

    test("between the decision and the transaction stops a new SOP that is published at once", async () => {
      const { services } = server().running;
      const { id: categoryId } = await manager.client.categories.create({ body: { name: "Changes before create" } });
      const user = await server().db.collection("users").findOne({ _id: manager.id });
      if (!user) throw new Error("no user");
      // after the policy is read, and before the transaction
      const compose: typeof services.render.compose = async (...text) => {
        const categories = server().db.forCompany(company.id).collection("categories");
        await categories.updateOne({ _id: categoryId }, { $set: { requiresApproval: true } });
        return services.render.compose(...text);
      };
      const published = createSop(
        { ...services, render: { ...services.render, compose } },
        createCallBuilder(user)(undefined, undefined),
        { ...draft, categoryId, status: "published" },
      );
      await expect(published).rejects.toMatchObject({ code: "conflict" });
      expect(await server().db.collection("sops").find({ categoryId })).toEqual([]);
    });
  });
});
