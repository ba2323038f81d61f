/** Facts in a file that can't be read, or that name no one here: an SOP that exists keeps what it has. */
import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { ImportRequest } from "#core/sops/import-schema.ts";
import { describeServer, type TestUser } from "../../../test/server.ts";

describeServer("an import of facts that can't be read", (server) => {
  async function run(user: TestUser, text: string, options: Partial<ImportRequest> = {}, path = "mill.md") {
    const sha256 = createHash("sha256").update(text).digest("hex");
    const body = { importId: randomUUID(), documents: [{ path, text, sha256 }], ...options };
    const [result] = (await user.client.sops.import({ body })).results;
    return { ...result, notes: result?.notes.map(({ message }) => message) ?? [] };
  }
  const exported = async (user: TestUser, id: string) =>
    (await user.send({ path: `/api/sops/${id}/export?format=md` })).body.toString();
  const withLine = (text: string, key: string, line: string) =>
    text.replace(new RegExp(`^${key}:.*\\n(?: {2}- .*\\n)*`, "m"), "").replace("---\n", `---\n${line}\n`);

  test("leaves owner, team and other facts as they are, and says so", async () => {
    const company = await server().company();
    const [admin, owner] = [await company.user("company_admin"), await company.user("manager", { name: "Mo Manager" })];
    const team = await admin.client.teams.create({ body: { name: "Millers" } });
    const facts = {
      teamId: team.id,
      tags: ["mill"],
      reviewBy: "2031-05-01",
      effectiveAt: "2031-04-01",
      lang: "en",
      isTemplate: true,
    };
    const { id } = await owner.client.sops.create({
      body: { title: "Rinse the mill", description: "D", markdown: "Rinse it.\n" },
    });
    await admin.client.sops.update({ params: { id }, body: facts });
    const now = async () => {
      const { ownerId, teamId, tags, reviewBy, effectiveAt, lang, isTemplate } = await admin.client.sops.get({
        params: { id },
      });
      return { ownerId, teamId, tags, reviewBy, effectiveAt, lang, isTemplate };
    };
    const before = await now();
    expect(before).toMatchObject({ ownerId: owner.id, teamId: team.id, tags: ["mill"], lang: "en", isTemplate: true });
    const unread = {
      "owner: Mo Manager": `The owner Mo Manager is not a username, write ${owner.username}: the SOP keeps its owner, the name is kept as x-owner`,
      "owner: m01": "The owner m01 is not a user here: the SOP keeps its owner, the name is kept as x-owner",
      "owner: {name: mo}": /^owner: .* can't be read\. .*\. The SOP keeps what it has$/,
      "team: Miller": "The team Miller is not known here: the SOP keeps its team, and the name is kept as x-team",
      "team: {name: Millers}": /^team: .* can't be read\. .*\. The SOP keeps what it has$/,
      "tags: {a: b}": /^tags: .* can't be read/,
      "review_by: soon": /^review_by: soon can't be read/,
      "effective: 31.31.2031": /^effective: 31\.31\.2031 can't be read/,
      "lang: {a: b}": /^lang: .* can't be read/,
      "template: perhaps": /^template: perhaps can't be read/,
    };
    for (const [turn, [line, note]] of Object.entries(unread).entries()) {
      const text = withLine(await exported(admin, id), line.replace(/:.*/, ""), line);
      const result = await run(admin, `${text}\nTurn ${turn}.\n`);
      expect([line, result.outcome]).toEqual([line, "update"]);
      expect(result.notes).toContainEqual(typeof note === "string" ? note : expect.stringMatching(note));
      expect([line, await now()]).toEqual([line, before]);
    }
  });

  test("makes the importer the owner of a new SOP only", async () => {
    const company = await server().company();
    const admin = await company.user("company_admin");
    const first = await run(admin, "---\ntitle: Mill\nowner: m01\n---\n\nRinse it.\n");
    expect(first.notes).toContain("The owner m01 is not a user here: you are the owner, the name is kept as x-owner");
    const other = await company.user("manager");
    const { id = "" } = first;
    await admin.client.sops.update({ params: { id }, body: { ownerId: other.id } });
    await run(admin, "---\ntitle: Mill\nowner: m01\n---\n\nRinse it well.\n", { onConflict: "theirs" });
    expect((await admin.client.sops.get({ params: { id } })).ownerId).toBe(other.id);
  });

  test("makes no second SOP of a number with more behind it", async () => {
    const admin = await (await server().company()).user("company_admin");
    const file = (number: string) => `---\nsop: ${number}\ntitle: Mill ${number}\n---\n\nRinse ${number}.\n`;
    await run(admin, "---\ntitle: Mill\n---\n\nRinse it.\n");
    for (const number of ["SOP-0001 v2", "SOP-0001-v2", "sop 1 v 2", "1.0"])
      expect([number, await run(admin, file(number), {}, `${number}.md`)]).toEqual([
        number,
        expect.objectContaining({
          outcome: "refused",
          reason: `sop: "${number}" doesn't fit the company's numbers. Write one such as SOP-0007, or remove the line`,
        }),
      ]);
    expect((await admin.client.sops.list({ query: { total: "true" } })).total).toBe(1);
  });
});
