import { expect, test } from "vitest";
import { sequenceHashesOf } from "#core/approvals/said.ts";
import { looksOfName } from "#core/users/looks.ts";
import { describeEachEngine } from "../../test/database/each-engine.ts";
import { shapelessDeclarations, type Collections } from "./documents.ts";
import { migrations } from "./migration-list.ts";
import { migrationRecordCollection, migrationRecordId } from "./migrations.ts";

const until = (last: number) => migrations.filter(({ number }) => number <= last);

describeEachEngine<Collections>("migrations of stored records", shapelessDeclarations, (open) => {
  test("19: a version knows the marks of its text", async () => {
    const before = await open({ name: "hashes", migrations: until(18) });
    const versions = [
      { _id: "a", companyId: "one", sopId: "s", version: 1, markdown: "Close the valve.\n" },
      { _id: "b", companyId: "one", sopId: "s", version: 2, markdown: "Open it.\n", textMarks: ["kept"] },
    ];
    await before.collection("sop_versions").insertMany(versions as unknown as Collections["sop_versions"][]);
    await before.close();
    const after = await open({ name: "hashes", migrations: until(19) });
    const found = await after.collection("sop_versions").find({}, { sort: { version: 1 } });
    expect(found.map(({ textMarks }) => textMarks)).toEqual([sequenceHashesOf("Close the valve.\n"), ["kept"]]);
    await after.close();
  });

  test("data from before the first of them is refused, and stays as it is", async () => {
    const before = await open({ name: "ancient", migrations: until(18) });
    const record = {
      _id: migrationRecordId({ number: 15 }),
      number: 15,
      name: "an earlier step",
      checksum: "",
      at: "",
    };
    await migrationRecordCollection(before).deleteMany({});
    await migrationRecordCollection(before).insertOne(record);
    await before.close();
    const after = await open({ name: "ancient", migrations, prepare: false });
    await expect(after.prepare()).rejects.toThrow(
      "the database has schema 15, this program reads those from 18: start version 1.0.0-beta.1 on it first",
    );
    expect(await migrationRecordCollection(after).find({})).toEqual([record]);
    await after.close();
  });

  test("20: finds users by the looks of their names, also of those that the audit log has", async () => {
    const before = await open({ name: "looks", migrations: until(19) });
    const ada = { _id: "u1", companyId: "one", name: "Ada Married", username: "ada", email: null, status: "active" };
    const other = { ...ada, _id: "u2", companyId: "two", name: "Bo", username: "bo" };
    await before.collection("users").insertMany([ada, other] as unknown as Collections["users"][]);
    const row = { companyId: "one", entityType: "user", userId: "u1", createdAt: "2026-01-01T00:00:00.000Z" };
    const renames = [
      { ...row, _id: "a1", action: "account.update", entityId: "u1", changes: { name: { from: "Ada Boss" } } },
      { ...row, _id: "a2", action: "user.update", entityId: "u1", changes: { name: "Ada Married", title: {} } },
      { ...row, _id: "a3", action: "user.update", entityId: "u9", changes: { name: { from: "Cy" } } },
    ];
    await before.collection("audit_logs").insertMany(renames as unknown as Collections["audit_logs"][]);
    await before.close();
    const after = await open({ name: "looks", migrations: until(20) });
    const found = async (name: string) =>
      (await after.collection("users").find({ looks: { $in: looksOfName(name) } })).map(({ _id }) => _id);
    expect([await found("boss, ADA"), await found("Ada Married (ada)"), await found("B0"), await found("Cy")]).toEqual([
      ["u1"],
      ["u1"],
      ["u2"],
      [],
    ]);
    await after.close();
  });
});
