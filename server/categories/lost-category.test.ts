import { beforeEach, expect, test } from "vitest";
import { describeServer, type TestUser } from "../../test/server.ts";
import { createReferencesCheck } from "../integrity/references.ts";
import { checkAllShares } from "../integrity/report.ts";

describeServer("an SOP of a lost category", (server) => {
  let manager: TestUser;
  let [id, categoryId] = ["", ""];

  beforeEach(async () => {
    const company = await server().company();
    await company.letApprove("manager");
    manager = await company.user("manager");
    ({ id: categoryId } = await manager.client.categories.create({ body: { name: "Line 7", color: "primary" } }));
    const body = { title: "Wash", description: "D", markdown: "Soap\n", categoryId };
    ({ id } = await manager.client.sops.create({ body }));
    await manager.client.sops.publish({ params: { id }, body: {} });
  });
  const events = () => server().db.forCompany(manager.companyId).collection("repo_events");
  const lastPlace = async () => {
    const [event] = await events().find({}, { sort: { seq: -1 }, limit: 1 });
    const { path, mainPath } = event?.items[0]?.after ?? {};
    return [path, mainPath].map((one) => one?.split("/").slice(0, 2).join("/"));
  };
  const forget = () => server().running.services.companies.forget(manager.companyId);
  const categories = () => server().db.collection("categories");
  const ways: [string, () => Promise<unknown>][] = [
    ["lost", () => categories().deleteOne({ _id: categoryId })],
    ["damaged", () => categories().updateOne({ _id: categoryId }, { $unset: { name: "" } as never })],
    [
      "lost, with a later list of categories",
      async () => {
        await categories().deleteOne({ _id: categoryId });
        forget();
        await manager.client.categories.create({ body: { name: "Line 8", color: "primary" } });
      },
    ],
  ];

  test.each(ways)("%s keeps it and its folder when someone saves", async (how, lose) => {
    await lose();
    forget();
    const saved = await manager.client.sops.update({ params: { id }, body: { markdown: "More soap\n", categoryId } });
    expect([saved.categoryId, await lastPlace()]).toEqual([categoryId, ["sops/line-7", "sops/line-7"]]);
    const { findings } = await checkAllShares(createReferencesCheck(server().db));
    const named = how === "damaged" ? [] : [`document ${categoryId} of categories is missing`];
    expect(findings).toEqual(expect.arrayContaining(named));
  });

  test("leaves it when someone chooses another one, or none", async () => {
    await categories().deleteOne({ _id: categoryId });
    forget();
    const other = await manager.client.categories.create({ body: { name: "Line 8", color: "primary" } });
    const chosen = async (one: string | null) =>
      (await manager.client.sops.update({ params: { id }, body: { categoryId: one } })).categoryId;
    expect([await chosen(other.id), (await lastPlace())[0]]).toEqual([other.id, "sops/line-8"]);
    expect([await chosen(null), (await lastPlace())[0]]).toEqual([null, "sops/uncategorized"]);
    await expect(chosen(categoryId)).rejects.toMatchObject({ code: "invalid_input" });
  });
});
