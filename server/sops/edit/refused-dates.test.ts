/** A day that is in no calendar must not get into a file: an SOP published with one would break every list that shows it. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { newId } from "#core/ids.ts";
import { sha256 } from "../../hashing.ts";
import { versionFileBytes } from "../../repository/version-file.ts";
import { describeServer, json } from "../../../test/server.ts";

const impossible = [
  "0000-01-01",
  "1899-12-31",
  "3000-01-01",
  "9999-12-31",
  "2027-02-30",
  "2027-02-29",
  "2027-06-31",
  "2027-00-10",
  "2027-13-01",
  "2027-02-30T00:00:00Z",
];

describeServer("days that do not exist", (server) => {
  const base = { title: "Valve", description: "D", markdown: "One\n" };

  test("are refused in every field for a date, and nothing is saved", async () => {
    const boss = await (await server().company()).user("manager");
    const { id } = await boss.client.sops.create({ body: base });
    for (const day of impossible) {
      for (const field of ["effectiveAt", "reviewBy"]) {
        const refusal = { status: 400, details: { [field]: "Write the date as YYYY-MM-DD, from 1900 to 2999" } };
        const body = { ...base, [field]: day, status: "published" as const };
        await expect(boss.client.sops.create({ body }), day).rejects.toMatchObject(refusal);
        await expect(boss.client.sops.update({ params: { id }, body: { [field]: day } })).rejects.toMatchObject(
          refusal,
        );
      }
    }
    expect((await boss.client.sops.list()).data.map(({ version, status }) => [version, status])).toEqual([
      [1, "draft"],
    ]);
    const leapDay = { ...base, effectiveAt: "2028-02-29", status: "published" as const };
    expect((await boss.client.sops.create({ body: leapDay })).scheduled?.effectiveAt).toBe("2028-02-29T00:00:00.000Z");
    const lastDay = { ...base, effectiveAt: "2999-12-31", status: "published" as const };
    const last = await boss.client.sops.create({ body: lastDay });
    expect((await boss.client.sops.get({ params: { id: last.id } })).reviewBy).toBe("2999-12-31");
  });

  test("are kept as unknown fields by an import; checks name those in old files, and others are not affected", async () => {
    const company = await server().company();
    const boss = await company.user("manager");
    const text = "---\ntitle: Valve\ndescription: D\neffective: 2027-02-30\nreview_by: 2027-06-31\n---\n\nOne\n";
    const document = { path: "a.md", text, sha256: createHash("sha256").update(text).digest("hex") };
    const { results } = await boss.client.sops.import({ body: { importId: newId(), documents: [document] } });
    expect(results[0]?.notes).toContainEqual(
      expect.objectContaining({
        line: 4,
        code: "unread-key",
        message: "effective: 2027-02-30 can't be read. Write the date as YYYY-MM-DD, from 1900 to 2999",
      }),
    );
    const params = { id: results[0]?.id ?? "" };
    expect(await boss.client.sops.publish({ params })).toMatchObject({ scheduled: null, reviewBy: "2027-06-01" });

    // a file from before days were looked at so closely
    const { id } = await boss.client.sops.create({ body: base });
    const versions = server().db.collection("sop_versions");
    const stored = await versions.findOne({ sopId: id });
    if (stored === null) throw new Error("the SOP has no version");
    const frontMatter = { ...stored.frontMatter, effective: "2027-02-30", review_by: "2027-02-31" };
    const contentHash = sha256(versionFileBytes({ ...stored, frontMatter }));
    await versions.updateOne({ sopId: id }, { $set: { frontMatter, contentHash } });
    await server()
      .db.collection("sops")
      .updateOne({ _id: id }, { $set: { reviewBy: "2027-02-31" } });
    await expect(boss.client.sops.publish({ params: { id } })).rejects.toMatchObject({ code: "unprocessable" });
    await company.set({ "settings.textRules": "off" });
    const published = await boss.client.sops.publish({ params: { id } });
    expect(published).toMatchObject({ status: "published", scheduled: null, reviewBy: "2027-06-01" });
    expect((await boss.client.sops.list()).data).toHaveLength(2);
  });

  test("in the database are damage, not the user's fault: the list leaves the SOP out", async () => {
    const boss = await (await server().company()).user("manager");
    const { id } = await boss.client.sops.create({ body: { ...base, status: "published" } });
    await server()
      .db.collection("sops")
      .updateOne({ _id: id }, { $set: { "published.effectiveAt": "one day" } });
    expect((await boss.client.sops.list()).data).toEqual([]);
    const answer = await boss.send({ path: `/api/sops/${id}`, headers: json });
    expect([answer.status, (answer.json() as { code: string }).code]).toEqual([500, "damaged"]);
  });
});
