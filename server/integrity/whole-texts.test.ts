import { expect, test } from "vitest";
import type { SopVersionDocument } from "../database/documents.ts";
import { loose } from "../../test/database/test-documents.ts";
import { isRaw, isWrite, pathOf, paramNames, rows } from "../../test/contract-rows.ts";
import { describeServer, type TestServer } from "../../test/server.ts";
import { checkAllShares } from "./report.ts";
import { createVersionsCheck } from "./stored.ts";

const secret = "zanzibar";
const altered = `Open it in ${secret}.\n`;
const valve = { title: "Valve", description: "D", markdown: "Open it slowly.\n" };
const boiler = { title: "Boiler", description: "D", markdown: "Heat it slowly.\n" };

/** As a slip of an operator does: the stored bytes change, and no commit tells the server. */
async function alter(
  server: TestServer,
  sopId: string,
  version: number,
  change: object = { $set: { markdown: altered } },
) {
  await loose(server.db.collection("sop_versions")).updateOne({ sopId, version }, change as never);
}

describeServer("a text that differs from its hash", (server) => {
  const made = async () => {
    const company = await server().company();
    const user = await company.user("company_admin");
    const { id } = await user.client.sops.create({ body: valve });
    await user.client.sops.publish({ params: { id }, body: {} });
    const other = await user.client.sops.create({ body: boiler });
    return { company, user, id, other: other.id };
  };
  const damaged = { code: "damaged" };

  test("is in no answer of the contract table, and in no export", async () => {
    const { company, user, id } = await made();
    const reader = await company.user("viewer");
    await alter(server(), id, 1);
    const asked: string[] = [];
    for (const who of [user, reader])
      for (const row of rows.filter((one) => !isWrite(one) && !isRaw(one))) {
        if (row.name === "events.stream") continue;
        const names = paramNames(row);
        const path = pathOf(row, names.includes("id") ? { id } : {});
        const queries =
          row.name === "sops.export" ? ["md", "json", "html", "docx", "pdf"].map((f) => `?format=${f}`) : [""];
        const searches =
          row.name === "search.find" || row.name === "sops.list" ? [`?q=${secret}&search=${secret}`] : [];
        for (const query of [...queries, ...searches]) {
          const answer = await who.send({ path: path + query });
          expect(answer.body.replaceAll(`search=${secret}`, ""), `${row.name}${query}`).not.toContain(altered.trim());
          if (row.name === "sops.export") expect([query, answer.status]).toEqual([query, 500]);
          asked.push(`${row.name}${query}`);
        }
      }
    expect(asked.length).toBeGreaterThan(100);
    await expect(reader.client.sops.get({ params: { id } })).rejects.toMatchObject(damaged);
    await expect(reader.client.sops.version({ params: { id, version: 1 } })).rejects.toMatchObject(damaged);
  }, 120_000);

  test("costs one SOP: lists, search and other SOPs go on", async () => {
    const { user, id, other } = await made();
    await alter(server(), id, 1);
    const listed = async () => (await user.client.sops.list({ query: {} })).data.map((row) => row.id);
    expect(new Set(await listed())).toEqual(new Set([id, other]));
    const found = await user.client.search.find({ query: { q: "slowly" } });
    expect(found.data.map(({ sop }) => sop.id)).toContain(other);
    expect(JSON.stringify(await user.client.search.find({ query: { q: secret } }))).not.toContain("Open it in");
    expect((await user.client.sops.get({ params: { id: other } })).markdown).toBe(boiler.markdown);
    expect((await user.client.sops.versions({ params: { id } })).map(({ version }) => version)).toEqual([1]);
  });

  test("is in no new version: saves, publications and restores are refused", async () => {
    const { user, id } = await made();
    await user.client.sops.update({ params: { id }, body: { markdown: "Open it very slowly.\n" } });
    await alter(server(), id, 2);
    const refused = [
      () => user.client.sops.update({ params: { id }, body: { title: "Valve 2" } }),
      () => user.client.sops.update({ params: { id }, body: { markdown: "Close it.\n" } }),
      () => user.client.sops.publish({ params: { id }, body: {} }),
      () => user.client.sops.restore({ params: { id, version: 2 }, body: {} }),
      () => user.client.sops.diff({ params: { id }, query: { from: 1, to: 2 } }),
    ];
    for (const one of refused) await expect(one()).rejects.toMatchObject(damaged);
    expect(await server().db.collection("sops").findOne({ _id: id })).toMatchObject({ version: 2 });
  });

  test("is replaced by a restore of an earlier version", async () => {
    const { user, id } = await made();
    await user.client.sops.update({ params: { id }, body: { markdown: "Open it very slowly.\n" } });
    for (const change of [{ $set: { markdown: altered } }, { $unset: { markdown: "" } }]) {
      const { version } = (await server().db.collection("sops").findOne({ _id: id })) ?? { version: 0 };
      await alter(server(), id, version, change);
      await expect(user.client.sops.get({ params: { id } })).rejects.toMatchObject({
        ...damaged,
        serverMessage: "The text of this version is damaged on the server. Restore an earlier version from its history",
      });
      const restored = await user.client.sops.restore({ params: { id, version: 1 }, body: {} });
      expect(restored).toMatchObject({ version: version + 1, markdown: valve.markdown });
    }
  });

  test.each(["lost", "damaged"] as const)("an SOP whose only version is %s names a way that works", async (what) => {
    const { user, id } = await made();
    if (what === "lost") await server().db.collection("sop_versions").deleteMany({ sopId: id });
    else await alter(server(), id, 1);
    const message = `The text of this version is ${what} on the server. No other version is whole. Ask an administrator of the server to restore a backup, or delete this SOP`;
    const params = { id, version: 1 };
    await expect(user.client.sops.get({ params })).rejects.toMatchObject({ ...damaged, serverMessage: message });
    await expect(user.client.sops.version({ params })).rejects.toMatchObject({ ...damaged, serverMessage: message });
    await expect(user.client.sops.restore({ params, body: {} })).rejects.toMatchObject({
      ...damaged,
      serverMessage: message,
    });
    const exported = await user.send({ path: `/api/sops/${id}/export?format=md` });
    expect([exported.status, (exported.json() as { message: string }).message]).toEqual([500, message]);
    await user.client.sops.remove({ params: { id } });
  });

  const sopDamage = ["a text that differs", "a text without markdown", "a text that is lost", "a record without tags"];
  test.each(sopDamage)("an import refuses the file of an SOP with %s, and takes the others", async (what) => {
    const { user, id, other } = await made();
    const file = async (one: string) => {
      const exported = await user.send({ path: `/api/sops/${one}/export?format=md` });
      return exported.body.replace("slowly", "with care");
    };
    const texts = { "one.md": await file(id), "two.md": await file(other), "three.md": "# Pump\n\nStart it.\n" };
    if (what === "a text that differs") await alter(server(), id, 1);
    else if (what === "a text without markdown") await alter(server(), id, 1, { $unset: { markdown: "" } });
    else if (what === "a text that is lost") await server().db.collection("sop_versions").deleteMany({ sopId: id });
    else await loose(server().db.collection("sops")).updateOne({ _id: id }, { $unset: { tags: "" } } as never);
    const documents = Object.entries(texts).map(([path, text]) => ({ path, text, sha256: "0".repeat(64) }));
    const body = { importId: crypto.randomUUID(), documents } as never;
    const { results } = await user.client.sops.import({ body });
    expect(results.map(({ path, outcome, reason }) => [path, outcome, reason])).toEqual([
      [
        "one.md",
        "refused",
        what === "a record without tags"
          ? "Its SOP is damaged on the server: ask an administrator of the server to restore it"
          : "The text of its SOP is lost or damaged: open the SOP to see what to do",
      ],
      ["two.md", "update", undefined],
      ["three.md", "create", undefined],
    ]);
  });

  test("costs no approval of another SOP", async () => {
    const { company, user, id } = await made();
    const markdown = "Heat the boiler slowly until the valve opens, then wait for the signal.\n";
    await (await company.user("manager")).client.sops.create({ body: { ...boiler, markdown } });
    // a text of two SOPs is compared with all that is published
    const { id: copy } = await user.client.sops.create({ body: { ...boiler, title: "Kettle", markdown } });
    await alter(server(), id, 1);
    const { id: approver } = await company.user("company_admin");
    const candidates = await user.client.approvals.candidates({ params: { id: copy } });
    expect(JSON.stringify(candidates)).toContain(approver);
  });

  test("is named at once, found by the check, and kept as it is", async () => {
    const { user, id } = await made();
    await alter(server(), id, 1);
    const line = `version 1 of SOP ${id}: its text doesn't match its hash`;
    await expect(user.client.sops.get({ params: { id } })).rejects.toMatchObject(damaged);
    expect(await server().running.services.damage.lines()).toContain(line);
    expect((await checkAllShares(createVersionsCheck(server().db))).findings).toContain(line);
    const stored = await server().db.collection("sop_versions").findOne({ sopId: id, version: 1 });
    expect((stored as SopVersionDocument).markdown).toBe(altered);
  });
});
