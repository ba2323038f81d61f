import { expect, test } from "vitest";
import { rows, fieldsOf, isRaw } from "../../test/contract-rows.ts";
import { describeServer, json } from "../../test/server.ts";
import { z } from "zod";

/** Places in a body where a key of any name is accepted. */
function openPlaces(schema: z.ZodType | undefined, path: string): string[] {
  if (schema === undefined || schema.meta()?.["readOnly"] === true) return [];
  if (schema instanceof z.ZodObject) {
    const isStrict = (schema.def.catchall as z.ZodType | undefined) instanceof z.ZodNever;
    const inner = Object.entries(fieldsOf(schema)).flatMap(([name, field]) => openPlaces(field, `${path}.${name}`));
    return isStrict ? inner : [path, ...inner];
  }
  if (schema instanceof z.ZodArray) return openPlaces(schema.element as z.ZodType, `${path}[]`);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => openPlaces(one as z.ZodType, path));
  return "unwrap" in schema && typeof schema.unwrap === "function"
    ? openPlaces(schema.unwrap() as z.ZodType, path)
    : [];
}

test("no body and no query accepts a key that the call doesn't know", () => {
  const found = rows
    .filter((row) => !isRaw(row))
    .flatMap(({ name, schema }) => [
      ...openPlaces(schema.body, `${name} body`),
      ...openPlaces(schema.query, `${name} query`),
    ]);
  expect(found).toEqual([]);
});

describeServer("fields that the server owns", (server) => {
  const text = { title: "Valve", description: "D", markdown: "One\n" };

  test("are named where their value isn't stored, and not in a record that is sent back", async () => {
    const boss = await (await server().company()).user("company_admin");
    const send = (method: string, path: string, body: unknown) =>
      boss.send({ method, path, headers: json, body: JSON.stringify(body) });
    const made = await send("POST", "/api/sops", { ...text, authorId: "someone", favorite: true });
    expect([made.status, made.headers.get("x-ignored-fields")]).toEqual([201, "authorId, favorite"]);
    const sop = made.json() as { id: string };
    const path = `/api/sops/${sop.id}`;
    const back = await send("PUT", path, { ...sop, title: "Valves" });
    expect([back.status, back.headers.get("x-ignored-fields")]).toEqual([200, null]);
    const again = await send("PUT", path, { ...(back.json() as object), createdAt: "2020-01-01T00:00:00.000Z" });
    expect([again.status, again.headers.get("x-ignored-fields")]).toEqual([200, "createdAt"]);
    // no record that was read has them: they only grow
    const later = { version: 99, views: 5, updatedAt: "2199-01-01T00:00:00.000Z" };
    const grown = await send("PUT", path, { title: "Valve", ...later });
    expect([grown.status, grown.headers.get("x-ignored-fields")]).toEqual([200, "views, version, updatedAt"]);
    const negative = await send("PUT", path, { title: "Valve", version: -1, views: -0.5 });
    expect([negative.status, negative.headers.get("x-ignored-fields")]).toEqual([200, "views, version"]);
    const read = await send("PUT", path, { ...sop, views: 0, title: "Valves" });
    expect([read.status, read.headers.get("x-ignored-fields")]).toEqual([200, null]);
  });

  test("are named where null would empty them, at every depth", async () => {
    const company = await server().company();
    const boss = await company.user("company_admin");
    const named = async (method: string, path: string, body: unknown) => {
      const answer = await boss.send({ method, path, headers: json, body: JSON.stringify(body) });
      return [answer.status, answer.headers.get("x-ignored-fields")?.split(", ") ?? []];
    };
    const emptied = { id: null, author: null, views: null, version: null, contentHash: null, control: null };
    const names = Object.keys(emptied).toSorted();
    const sorted = ([status, found]: unknown[]) => [status, (found as string[]).toSorted()];
    const sop = { ...text, ...emptied, published: null, scheduled: null };
    expect(sorted(await named("POST", "/api/sops", sop))).toEqual([201, names]);
    const published = await named("POST", "/api/sops", { ...sop, status: "published" });
    expect(sorted(published)).toEqual([201, [...names, "published"].toSorted()]);
    const { id } = await boss.client.sops.create({ body: text });
    expect(sorted(await named("PUT", `/api/sops/${id}`, emptied))).toEqual([200, names]);
    const team = await named("POST", "/api/teams", { name: "Team", slug: null, memberCount: null, ownerName: null });
    expect(sorted(team)).toEqual([201, ["memberCount", "ownerName", "slug"]]);
  });

  test("are refused where they would choose something and can't", async () => {
    const boss = await (await server().company()).user("company_admin");
    const { id } = await boss.client.sops.create({ body: text });
    const send = async (method: string, path: string, body: unknown) => {
      const answer = await boss.send({ method, path, headers: json, body: JSON.stringify(body) });
      return [answer.status, Object.keys((answer.json() as { details: object }).details)];
    };
    for (const number of ["", " ", null])
      expect(await send("PUT", `/api/sops/${id}`, { title: "Valves", number })).toEqual([400, ["number"]]);
    for (const number of ["", " "])
      expect(await send("POST", "/api/sops", { ...text, number })).toEqual([400, ["number"]]);
    expect(await send("POST", "/api/sops", { ...text, copyOf: "nonsense" })).toEqual([400, ["copyOf"]]);
    const exported = await boss.send({ path: `/api/sops/${id}/export?format=docx&standard=a-2b` });
    expect([exported.status, exported.json()]).toMatchObject([
      400,
      { details: { standard: "Only a PDF has a standard" } },
    ]);
    const gone = "01a22d16-2f81-761b-af95-fb64f64ae7b5";
    const made = await boss.send({
      method: "POST",
      path: "/api/sops",
      headers: json,
      body: JSON.stringify({ ...text, copyOf: gone }),
    });
    expect([made.status, made.headers.get("x-ignored-fields")]).toEqual([201, "copyOf"]);
  });

  test("and those that describe a version are named where the save makes none", async () => {
    const boss = await (await server().company()).user("company_admin");
    const send = (body: unknown) =>
      boss.send({ method: "PUT", path: `/api/sops/${id}`, headers: json, body: JSON.stringify(body) });
    const { id } = await boss.client.sops.create({ body: text });
    const named = async (body: unknown) => (await send(body)).headers.get("x-ignored-fields");
    expect(await named({ changeNote: "Why" })).toBe("changeNote");
    expect(await named({ title: text.title, changeNote: "Why", changeClass: "major" })).toBe("changeNote, changeClass");
    expect(await named({ changeNote: " " })).toBeNull();
    expect(await named({ title: "Valves", changeNote: "Why", changeClass: "minor" })).toBeNull();
    expect((await boss.client.sops.versions({ params: { id } })).map(({ changeNote }) => changeNote)).toEqual([
      "Why",
      null,
    ]);
  });

  test("restrict nothing: a save that would is refused", async () => {
    const boss = await (await server().company()).user("company_admin");
    const refusal = { status: 400, details: { restricted: expect.stringContaining("Use PUT") } };
    const body = { ...text, restricted: true };
    await expect(boss.client.sops.create({ body })).rejects.toMatchObject(refusal);
    const { id } = await boss.client.sops.create({ body: { ...body, restricted: false } });
    await expect(boss.client.sops.update({ params: { id }, body: { restricted: true } })).rejects.toMatchObject(
      refusal,
    );
    await boss.client.sops.restrict({ params: { id }, body: { restricted: true } });
    const saved = await boss.client.sops.update({ params: { id }, body: { ...text, title: "V", restricted: true } });
    expect(saved).toMatchObject({ title: "V", restricted: true });
  });
});
