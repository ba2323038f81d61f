/** The effective date chosen at a publication is the one that counts, and the one that is shown. */
import { expect, test } from "vitest";
import { controlBlockRows } from "#core/export/document.ts";
import { exportDocumentOfSop, type ExportedSop } from "#core/export/of-sop.ts";
import type { Sop } from "#core/sops/schema.ts";
import { describeServer, type TestUser } from "../../../test/server.ts";

type Chosen = string | null | undefined;
type Way = "publish" | "approval";

/** Text, choice, and what is shown once the version is published. Today is 1 June 2026. */
const today: [written: Chosen, chosen: Chosen, shown: string | null, isBackdated: boolean][] = [
  [undefined, undefined, null, false],
  [undefined, "2020-01-01", "2020-01-01", true],
  [undefined, "2026-06-01", "2026-06-01", false],
  ["2020-03-01", undefined, "2020-03-01", true],
  ["2020-03-01", "2020-01-01", "2020-01-01", true],
  ["2020-03-01", null, null, false],
  ["2028-08-09", null, null, false],
  ["2028-08-09", "2020-01-01", "2020-01-01", true],
];

describeServer("an effective date chosen at the publication", (server) => {
  const setUp = async () => {
    const company = await server().company();
    const [boss, editor, viewer] = [
      await company.user("company_admin"),
      await company.user("editor"),
      await company.user("viewer"),
    ];
    const draft = async (effectiveAt: Chosen) =>
      (await editor.client.sops.create({ body: { title: "T", description: "D", markdown: "M\n", effectiveAt } })).id;
    const publish = async (way: Way, id: string, effectiveAt: Chosen) => {
      const params = { id };
      const date = effectiveAt === undefined ? {} : { effectiveAt };
      if (way === "publish") return void (await boss.client.sops.publish({ params, body: date }));
      const request = await editor.client.sops.requestApproval({ params, body: { approverIds: [boss.id], ...date } });
      await boss.client.approvals.approve({ params: { id: request.id } });
    };
    return { boss, editor, viewer, draft, publish };
  };
  const exported = async (user: TestUser, id: string, query: string) =>
    user.send({ path: `/api/sops/${id}/export?${query}` });
  const factOf = (sop: ExportedSop) =>
    controlBlockRows(exportDocumentOfSop(sop)).find(([name]) => name === "Effective date")?.[1] ?? "";
  const shownIn = ({ control: { effective, backdated } }: Pick<Sop, "control">) => [effective, backdated === true];

  for (const way of ["publish", "approval"] as const)
    test.each(today)(`${way}: written %s, chosen %s, shown %s`, async (written, chosen, day, isBackdated) => {
      const { boss, viewer, draft, publish } = await setUp();
      const id = await draft(written);
      await publish(way, id, chosen);
      const check = async (user: TestUser, query: string) => {
        const json = (await exported(user, id, `format=json${query}`)).json() as ExportedSop;
        expect(shownIn(json)).toEqual([day, isBackdated]);
        expect(factOf(json).includes("before its publication")).toBe(isBackdated);
        const html = (await exported(user, id, `format=html${query}`)).body;
        expect(html.includes("before its publication")).toBe(isBackdated);
        // a hash can have these digits, but not alone
        expect(html).not.toMatch(/\b2028\b/);
        const { headers } = await exported(user, id, `format=md${query}`);
        const warning = decodeURIComponent(headers.get("x-export-warnings") ?? "");
        expect(warning !== "").toBe(isBackdated || (written !== undefined && written !== day));
      };
      for (const user of [viewer, boss]) {
        expect(shownIn(await user.client.sops.get({ params: { id } }))).toEqual([day, isBackdated]);
        await check(user, "");
      }
      // what followed changes nothing about it
      await boss.client.sops.update({
        params: { id },
        body: { markdown: "N\n", effectiveAt: null, status: "published" },
      });
      await check(boss, "&version=1");
      await boss.client.sops.unpublish({ params: { id }, body: {} });
      await check(boss, "&version=1");
    });

  test("can be changed while the version waits for it, by those who publish", async () => {
    const { boss, editor, viewer, draft, publish } = await setUp();
    const id = await draft("2028-08-09");
    await publish("approval", id, undefined);
    const params = { id };
    const says = (message: string) => ({ status: 409, message: expect.stringContaining(message) as unknown });
    await expect(boss.client.sops.publish({ params, body: {} })).rejects.toMatchObject(
      says("Version 1 waits for 2028-08-09. Publish it with another effectiveAt to change the day"),
    );
    const again = editor.client.sops.requestApproval({ params, body: { approverIds: [boss.id] } });
    await expect(again).rejects.toMatchObject(
      says("Version 1 waits for 2028-08-09. To change the day, save another effective date and submit that version"),
    );
    const moved = await boss.client.sops.publish({ params, body: { effectiveAt: "2026-07-01" } });
    expect(moved).toMatchObject({ scheduled: { version: 1, effectiveAt: "2026-07-01T00:00:00.000Z" } });
    expect(moved.control.approvedBy).toMatchObject([{ name: boss.name }]);
    await expect(viewer.client.sops.get({ params })).rejects.toMatchObject({ status: 404 });
    const now = await boss.client.sops.publish({ params, body: { effectiveAt: null } });
    expect(now).toMatchObject({ scheduled: null, published: { version: 1 } });
    expect(now.control.approvedBy).toMatchObject([{ name: boss.name }]);
    await expect(boss.client.sops.publish({ params, body: { effectiveAt: null } })).rejects.toMatchObject(
      says("It's already published"),
    );
  });

  test("changes as said: by a version with another day, where all is approved", async () => {
    const { boss, editor, draft, publish } = await setUp();
    const id = await draft("2028-08-09");
    await publish("approval", id, undefined);
    await editor.client.sops.update({ params: { id }, body: { effectiveAt: "2026-07-01" } });
    await publish("approval", id, undefined);
    const { scheduled } = await boss.client.sops.get({ params: { id } });
    expect(scheduled).toEqual({ version: 2, effectiveAt: "2026-07-01T00:00:00.000Z" });
  });

  test("is the day for which it waits, in place of the one in the text", async () => {
    const { boss, viewer, draft, publish } = await setUp();
    const id = await draft("2028-08-09");
    await publish("approval", id, "2026-07-01");
    const sop = await boss.client.sops.get({ params: { id } });
    expect(shownIn(sop)).toEqual(["2026-07-01", false]);
    expect((await exported(boss, id, "format=html")).body).toContain("1 Jul 2026");
    await expect(viewer.client.sops.get({ params: { id } })).rejects.toMatchObject({ status: 404 });
  });
});
