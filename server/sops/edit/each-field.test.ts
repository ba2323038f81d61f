/** A field of a save that is accepted has an effect: the record that is read back has its value. */
import { expect, test } from "vitest";
import type { z } from "zod";
import { valuesByFieldName, sopFields } from "#core/sop-fields.ts";
import { SopUpdate } from "#core/sops/schema.ts";
import { describeServer } from "../../../test/server.ts";

/** They say how a save is made; the version has them. */
const ofVersion = ["changeNote", "changeClass", "aiCalls", "automatic"];

describeServer("each field of a save", (server) => {
  test("is stored, in a new SOP and in one that is there", async () => {
    const company = await server().company();
    const boss = await company.user("company_admin");
    const [category] = await boss.client.categories.list();
    const team = await boss.client.teams.create({ body: { name: "Team" } });
    const values: Record<string, unknown> = {
      ...valuesByFieldName(sopFields, { flag: true, text: "de" }),
      number: "SOP-0777",
      title: "New title",
      description: "New words",
      content: "<p>New text</p>",
      markdown: "New text\n",
      categoryId: category?.id,
      status: "archived",
      readTime: 77,
      ownerId: (await company.user("editor")).id,
      teamId: team.id,
      tags: ["new"],
      effectiveAt: "2031-10-01",
      reviewBy: "2032-10-01",
    };
    const fields = Object.entries(SopUpdate.shape as Record<string, z.ZodType>)
      .filter(([, schema]) => schema.meta()?.["readOnly"] !== true)
      .map(([name]) => name);
    // a new field of a kind that has code of its own must be added here
    expect(Object.keys(values).concat(ofVersion).sort()).toEqual(fields.sort());
    const text = { title: "Old title", description: "Old words", markdown: "Old text\n" };
    for (const [field, value] of Object.entries(values)) {
      const { id } = await boss.client.sops.create({ body: text });
      await boss.client.sops.update({ params: { id }, body: { [field]: value } });
      const read = async (one: string) => {
        const sop = await boss.client.sops.get({ params: { id: one } });
        const stored = field === "effectiveAt" ? sop.control.effective : (sop as Record<string, unknown>)[field];
        return typeof stored === "string" ? stored.trim() : stored;
      };
      const expected = typeof value === "string" ? value.trim() : value;
      expect([field, await read(id)]).toEqual([field, expected]);
      const { markdown: _markdown, ...rest } = text;
      const body = field === "content" ? rest : text;
      const other = field === "number" ? "SOP-0778" : value;
      const made = await boss.client.sops.create({ body: { ...body, [field]: other } });
      expect([field, await read(made.id)]).toEqual([field, field === "number" ? other : expected]);
    }
  });
});
