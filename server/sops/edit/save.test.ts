import { createHash } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { ApiError } from "#core/api/client.ts";
import type { ExportedSop } from "#core/export/of-sop.ts";
import { newId } from "#core/ids.ts";
import { removeExpiredRecords } from "../../sweep.ts";
import { pngOf } from "../../../test/images.ts";
import { describeServer, json } from "../../../test/server.ts";

const draft = { title: "Reset a user password", description: "For the help desk", markdown: "Ask who it is.\n" };
const code = (error: unknown) => (error instanceof ApiError ? `${error.status} ${error.code}` : error);

describeServer("saving an SOP", (server) => {
  const manager = async () => (await server().company()).user("manager", { name: "Grace Hopper" });

  test("creates a draft with number, slug, owner and version 1", async () => {
    const user = await manager();
    const sop = await user.client.sops.create({ body: { ...draft, tags: ["it", "it", "help  desk"], lang: "en" } });
    expect(sop).toMatchObject({
      companyId: user.companyId,
      number: "SOP-0001",
      slug: "reset-a-user-password",
      status: "draft",
      version: 1,
      views: 0,
      authorId: user.id,
      ownerId: user.id,
      author: { name: "Grace Hopper", initials: "GH", username: user.username, hasNamesake: false },
      category: null,
      published: null,
      tags: ["it", "help desk"],
      lang: "en",
      readTime: 1,
      markdown: draft.markdown,
      content: "<p>Ask who it is.</p>",
      createdAt: server().clock.now(),
    });
    expect(await user.client.sops.get({ params: { id: sop.id } })).toEqual(sop);
  });

  test("leaves characters out that turn figures, and names them", async () => {
    const user = await manager();
    const turned = {
      title: "Turn \u20671 → 2\u2069 and \u202e3",
      description: "From \u200f20 - 80 °C",
      markdown: "Turn &rlm;1 → 2\u200f\n",
      tags: ["a\u200eb", "\u200f"],
    };
    const plain = { title: "Turn 1 → 2 and 3", description: "From 20 - 80 °C", markdown: "Turn 1 → 2\n", tags: ["ab"] };
    const said = [
      "title: the control character U+202E, U+2067, U+2069 was dropped",
      "description: the control character U+200F was dropped",
      "tags: the control character U+200E was dropped",
      "tags: the control character U+200F was dropped",
      "the control character U+200F was dropped",
    ];
    const made = await user.client.sops.create({ body: turned });
    expect(made).toMatchObject(plain);
    expect(made.notes?.map(({ message }) => message)).toEqual(said);
    const saved = await user.client.sops.update({ params: { id: made.id }, body: turned });
    expect(saved).toMatchObject({ ...plain, version: 1 });
    expect(saved.notes?.map(({ message }) => message)).toEqual(said);
    for (const title of ["\u200f", " \u202e\u200b "])
      await expect(user.client.sops.create({ body: { ...turned, title } })).rejects.toMatchObject({
        details: { title: "Title is required" },
      });
  });

  test("gives a new SOP the team of its category, unless it names one or none", async () => {
    const user = await manager();
    const team = await user.client.teams.create({ body: { name: "Night shift" } });
    const other = await user.client.teams.create({ body: { name: "Day shift" } });
    const category = await user.client.categories.create({ body: { name: "Nights", teamId: team.id } });
    const create = async (body: { teamId?: string | null }) =>
      (await user.client.sops.create({ body: { ...draft, categoryId: category.id, ...body } })).teamId;
    expect([await create({}), await create({ teamId: other.id }), await create({ teamId: null })]).toEqual([
      team.id,
      other.id,
      null,
    ]);
  });

  test("keeps the address of the first published title", async () => {
    const user = await manager();
    const { id } = await user.client.sops.create({ body: { ...draft, title: "Fire Zanzibar" } });
    const params = { id };
    const rename = async (title: string) => (await user.client.sops.update({ params, body: { title } })).slug;
    // until then it stays where it is, for those who work on it
    expect(await rename("Reorganise")).toBe("fire-zanzibar");
    const { slug } = await user.client.sops.publish({ params, body: {} });
    expect(slug).toBe("reorganise");
    expect(await rename("Reorganise sales")).toBe("reorganise");
    await user.client.sops.publish({ params, body: {} });
    await user.client.sops.unpublish({ params, body: {} });
    expect((await user.client.sops.publish({ params, body: {} })).slug).toBe("reorganise");
    const events = await server().db.forCompany(user.companyId).collection("repo_events").find({ type: "publish" });
    expect(JSON.stringify(events.map(({ items }) => items.map(({ after }) => after?.mainPath)))).not.toContain(
      "zanzibar",
    );
  });

  test("creates one version for each change and none for a save without a change", async () => {
    const user = await manager();
    const { id } = await user.client.sops.create({ body: draft });
    server().clock.advance(1000);
    const second = await user.client.sops.update({
      params: { id },
      body: { markdown: "Ask twice who it is.", changeNote: "  Ask twice  ", changeClass: "minor" },
    });
    expect(second.version).toBe(2);
    expect(second.slug).toBe("reset-a-user-password");
    const same = await user.client.sops.update({ params: { id }, body: { markdown: "Ask twice who it is." } });
    expect(same).toEqual(second);
    // what differs only in form is the same text
    expect(
      (await user.client.sops.update({ params: { id }, body: { markdown: "Ask twice who it is.\r\n\r\n" } })).version,
    ).toBe(2);
    const versions = await user.client.sops.versions({ params: { id } });
    expect(
      versions.map(({ version, changeNote, changeClass, isCurrent }) => [version, changeNote, changeClass, isCurrent]),
    ).toEqual([
      [2, "Ask twice", "minor", true],
      [1, null, "major", false],
    ]);
    expect(versions.every(({ changedBy }) => changedBy.name === "Grace Hopper")).toBe(true);
  });

  test("accepts the whole record it returned, as the seed's form sends it", async () => {
    const user = await manager();
    const [category] = await user.client.categories.list();
    const made = await user.client.sops.create({ body: { ...draft, categoryId: category?.id, tags: ["a"] } });
    const published = await user.client.sops.publish({ params: { id: made.id }, body: {} });
    expect(published.reviewBy).toBe("2027-06-01");
    const again = await user.client.sops.update({ params: { id: made.id }, body: published });
    expect(again).toEqual(published);
    const changed = await user.client.sops.update({
      params: { id: made.id },
      body: { ...published, title: "Another title", id: "x", companyId: "y", authorId: "z", version: 99, views: 1e6 },
    });
    expect(changed).toMatchObject({ id: made.id, companyId: user.companyId, authorId: user.id, version: 2, views: 0 });
    // a manager's save with status published publishes the new text
    expect(changed.published?.version).toBe(2);
  });

  test("keeps fields that are left out and clears fields that are null", async () => {
    const user = await manager();
    const [category] = await user.client.categories.list();
    const full = {
      ...draft,
      categoryId: category?.id,
      tags: ["a"],
      lang: "de-AT",
      readTime: 9,
      reviewBy: "2030-01-31",
    };
    const { id } = await user.client.sops.create({ body: full });
    const kept = await user.client.sops.update({ params: { id }, body: { title: "New" } });
    expect(kept).toMatchObject({ ...full, title: "New", version: 2 });
    const cleared = await user.client.sops.update({
      params: { id },
      body: { categoryId: null, lang: null, tags: [], reviewBy: null, ownerId: null },
    });
    expect(cleared).toMatchObject({
      categoryId: null,
      category: null,
      lang: null,
      tags: [],
      reviewBy: null,
      ownerId: null,
    });
  });

  test("clears dates that are empty as those that are null", async () => {
    const user = await manager();
    const dates = { reviewBy: "2030-01-31", effectiveAt: "2029-01-31" };
    const { id } = await user.client.sops.create({ body: { ...draft, ...dates } });
    for (const none of [null, ""]) {
      const params = { id };
      const cleared = await user.client.sops.update({ params, body: { reviewBy: none, effectiveAt: none } });
      expect(cleared).toMatchObject({ reviewBy: null, effectiveAt: null });
      expect(await user.client.sops.update({ params, body: dates })).toMatchObject(dates);
    }
  });

  test("says that the latest text is lost, and an earlier version brings the SOP back", async () => {
    const user = await manager();
    const { id, number } = await user.client.sops.create({ body: draft });
    await user.client.sops.update({ params: { id }, body: { markdown: "Ask twice.\n" } });
    const versions = server().db.forCompany(user.companyId).collection("sop_versions");
    await versions.deleteOne({ sopId: id, version: 2 });
    const params = { id };
    for (const call of [
      () => user.client.sops.get({ params }),
      () => user.client.sops.update({ params, body: { title: "New" } }),
    ])
      await expect(call()).rejects.toMatchObject({
        code: "damaged",
        serverMessage: expect.stringContaining("is lost"),
      });
    const text = `---\nid: ${id}\nsop: ${number}\ntitle: Again\n---\n\nAsk.\n`;
    const documents = [{ path: "a.md", text, sha256: createHash("sha256").update(text).digest("hex") }];
    const plan = await user.client.sops.import({ body: { importId: newId(), documents } });
    expect(plan.results).toMatchObject([{ outcome: "refused", reason: expect.stringContaining("is lost") }]);
    const restored = await user.client.sops.restore({ params: { id, version: 1 }, body: {} });
    expect(restored).toMatchObject({ version: 3, markdown: draft.markdown, title: draft.title });
    expect(await user.client.sops.get({ params })).toMatchObject({ version: 3 });
  });

  test("asks one task of the workers for a text with links and images", async () => {
    const user = await manager();
    const image = { method: "POST", path: "/api/assets", headers: { "content-type": "image/png" }, body: pngOf("one") };
    const { url } = (await user.send(image)).json() as { url: string };
    const { number } = await user.client.sops.create({ body: draft });
    const { id } = await user.client.sops.create({ body: draft });
    const { render } = server().running.services;
    const tasks: string[] = [];
    const names = ["compose", "sopLinks", "assetLinks", "linkMentions", "format"] as const;
    for (const name of names) {
      const whole = render[name] as (...input: unknown[]) => unknown;
      onTestFinished(() => void Object.assign(render, { [name]: whole }));
      Object.assign(render, { [name]: (...input: unknown[]) => (tasks.push(name), whole(...input)) });
    }
    for (const word of ["first", "second"]) {
      const markdown = `# Steps\n\n1. Close the [${word} valve](/sop/${number}).\n\n![A valve](${url})\n`;
      await user.client.sops.update({ params: { id }, body: { markdown } });
      expect(tasks.splice(0)).toEqual(["compose"]);
    }
  });

  test("creates no version for a move to another category alone, and readers find it there", async () => {
    const user = await manager();
    const [first, second] = await user.client.categories.list();
    const { id } = await user.client.sops.create({ body: { ...draft, categoryId: first?.id } });
    const moved = await user.client.sops.update({ params: { id }, body: { categoryId: second?.id } });
    expect(moved).toMatchObject({ version: 1, categoryId: second?.id });
    const counts = await user.client.categories.list();
    expect(counts.map(({ count }) => count)).toEqual([0, 1, 0, 0]);
  });

  test("uses the one of content and markdown that differs from the latest version, and refuses two that differ", async () => {
    const user = await manager();
    const { id, content, markdown } = await user.client.sops.create({
      body: { ...draft, markdown: undefined, content: "<h2>One</h2><script>alert(1)</script><p>Text</p>" },
    });
    expect(markdown).toBe("## One\n\nText\n");
    expect(content).not.toContain("script");
    const put = async (body: object) => (await user.client.sops.update({ params: { id }, body })).markdown;
    expect(await put({ content: "<p>Two</p>", markdown })).toBe("Two\n");
    expect(await put({ content: (await user.client.sops.get({ params: { id } })).content, markdown: "Three" })).toBe(
      "Three\n",
    );
    expect(await put({ content: "<p>Four</p>", markdown: "Four" })).toBe("Four\n");
    const refusal = { status: 400, details: { content: expect.stringContaining("Send one of them") } };
    for (const content of ["<p>Five</p>", "", "<h2>Six</h2>"]) {
      await expect(put({ content, markdown: "Six" })).rejects.toMatchObject(refusal);
      await expect(user.client.sops.create({ body: { ...draft, content, markdown: "Six" } })).rejects.toMatchObject(
        refusal,
      );
    }
    expect(await put({})).toBe("Four\n");
  });

  test("takes both texts of a record as one, also of an older version and for a new SOP", async () => {
    const user = await manager();
    const { number } = await user.client.sops.create({ body: draft });
    const markdown = `# Steps\n\n1. Read ${number}.\n\n   > [!NOTE]\n   > Mind *the* step.\n\n| A |\n|---|\n| b<br>c |\n`;
    const { id } = await user.client.sops.create({ body: { ...draft, markdown } });
    const old = await user.client.sops.get({ params: { id } });
    const texts = { content: old.content, markdown: old.markdown };
    await user.client.sops.update({ params: { id }, body: { markdown: "Two" } });
    const saved = await user.client.sops.update({ params: { id }, body: texts });
    expect(saved).toMatchObject({ version: 3, ...texts });
    expect(await user.client.sops.create({ body: { ...draft, ...texts } })).toMatchObject(texts);
  });

  test("refuses an empty text, an unknown category, owner and team, and foreign ones alike", async () => {
    const [user, stranger] = [await manager(), await manager()];
    const [foreign] = await stranger.client.categories.list();
    const { id } = await user.client.sops.create({ body: draft });
    for (const [field, value] of [
      ["markdown", "   "],
      ["categoryId", "nothing"],
      ["categoryId", foreign?.id],
      ["ownerId", stranger.id],
      ["ownerId", "nobody"],
      ["teamId", "none"],
      ["reviewBy", "tomorrow"],
      ["title", ""],
      ["readTime", 0],
      ["lang", "English"],
    ] as const) {
      const answer = await user.send({
        method: "PUT",
        path: `/api/sops/${id}`,
        headers: json,
        body: JSON.stringify({ [field]: value }),
      });
      expect([field, answer.status]).toEqual([field, 400]);
      expect(answer.json()).toMatchObject({ code: "invalid_input", details: expect.any(Object) });
    }
    expect((await user.client.sops.get({ params: { id } })).version).toBe(1);
  });

  test("answers a stale If-Match with 412 and the latest version, and saves nothing", async () => {
    const user = await manager();
    const { id } = await user.client.sops.create({ body: draft });
    await user.client.sops.update({ params: { id }, body: { title: "Two" }, ifMatch: 1 });
    const stale = user.client.sops.update({ params: { id }, body: { title: "Three" }, ifMatch: 1 });
    await expect(stale).rejects.toMatchObject({ status: 412, code: "stale", details: { version: 2 } });
    for (const verb of ["publish", "archive"] as const) {
      await expect(user.client.sops[verb]({ params: { id }, body: {}, ifMatch: 1 })).rejects.toMatchObject({
        status: 412,
      });
    }
    await expect(user.client.sops.restore({ params: { id, version: 1 }, body: {}, ifMatch: 1 })).rejects.toMatchObject({
      status: 412,
    });
    expect((await user.client.sops.versions({ params: { id } })).length).toBe(2);
    const bad = await user.send({
      method: "PUT",
      path: `/api/sops/${id}`,
      headers: { ...json, "if-match": "2" },
      body: "{}",
    });
    expect(bad.status).toBe(400);
    const answer = await user.send({ path: `/api/sops/${id}` });
    expect(answer.headers.get("etag")).toBe('"v2"');
  });

  test("marks the version that a pause made, and only that one", async () => {
    const user = await manager();
    const { id } = await user.client.sops.create({ body: draft });
    const params = { id };
    await user.client.sops.publish({ params, body: {} });
    const paused = await user.client.sops.update({ params, body: { markdown: "Two", automatic: true }, ifMatch: 1 });
    expect(paused).toMatchObject({ version: 2, status: "draft", published: { version: 1 } });
    await user.client.sops.update({ params, body: { markdown: "Three" }, ifMatch: 2 });
    const rows = await user.client.sops.versions({ params });
    expect(rows.map(({ automatic }) => automatic)).toEqual([undefined, true, undefined]);
  });

  test("restores an old version as a new one", async () => {
    const company = await server().company();
    const user = await company.user("manager");
    const heir = await company.user("editor");
    const { id } = await user.client.sops.create({ body: { ...draft, tags: ["first"] } });
    await user.client.sops.update({
      params: { id },
      body: { title: "Two", markdown: "Two", tags: [], ownerId: heir.id },
    });
    const restored = await user.client.sops.restore({ params: { id, version: 1 }, body: { changeNote: "Back" } });
    expect(restored).toMatchObject({
      version: 3,
      title: draft.title,
      markdown: draft.markdown,
      tags: ["first"],
      ownerId: heir.id,
    });
    const [row] = await user.client.sops.versions({ params: { id } });
    expect(row).toMatchObject({ version: 3, restores: 1, changeNote: "Back" });
    await expect(user.client.sops.restore({ params: { id, version: 3 }, body: {} })).rejects.toMatchObject({
      status: 409,
    });
    await expect(user.client.sops.restore({ params: { id, version: 9 }, body: {} })).rejects.toMatchObject({
      status: 404,
    });
    const old = await user.client.sops.version({ params: { id, version: 2 } });
    expect(old).toMatchObject({ title: "Two", markdown: "Two\n", content: "<p>Two</p>", isCurrent: false });
  });

  test("names the Markdown of a version that isn't published so", async () => {
    const user = await manager();
    const { id } = await user.client.sops.create({ body: draft });
    const nameOf = async (version: number) =>
      (await user.send({ path: `/api/sops/${id}/export?version=${version}` })).headers.get("content-disposition");
    await user.client.sops.publish({ params: { id }, body: {} });
    expect(await nameOf(1)).toMatch(/-password\.md/);
    await user.client.sops.update({ params: { id }, body: { markdown: "Later\n" } });
    expect([await nameOf(1), await nameOf(2)]).toEqual([
      expect.stringMatching(/-password\.md/),
      expect.stringMatching(/-password\.draft\.md/),
    ]);
    await user.client.sops.publish({ params: { id }, body: { effectiveAt: "2099-01-01" } });
    expect(await nameOf(2)).toMatch(/-password\.not-yet-effective\.md/);
  });

  test("exports exactly the bytes of its hash", async () => {
    const user = await manager();
    const { id, contentHash } = await user.client.sops.create({ body: draft });
    const file = await user.send({ path: `/api/sops/${id}/export` });
    expect(file.headers.get("content-disposition")).toContain("sop-0001-reset-a-user-password.draft.md");
    expect(createHash("sha256").update(file.bytes).digest("hex")).toBe(contentHash);
    expect(file.headers.get("x-content-sha256")).toBe(contentHash);
    expect(file.body).toContain(`id: "${id}"`);
    await user.client.sops.update({ params: { id }, body: { title: "Two" } });
    const first = await user.send({ path: `/api/sops/${id}/export?version=1` });
    expect(first.bytes.equals(file.bytes)).toBe(true);
    const asJson = await user.send({ path: `/api/sops/${id}/export?format=json` });
    expect(asJson.json()).toMatchObject({ id, version: 2, title: "Two", markdown: draft.markdown });
    for (const own of ["favorite", "grants", "approvers", "waitsForMe"]) expect(asJson.json()).not.toHaveProperty(own);
    expect((await user.send({ path: `/api/sops/${id}/export?version=7` })).status).toBe(404);
  });

  test("exports JSON with the status of the version, which says published of the published one alone", async () => {
    const user = await manager();
    const publish = (effectiveAt: string | null) => ({ ...draft, status: "published" as const, effectiveAt });
    const statusOf = async (id: string, query = "") => {
      const { status, state } = (
        await user.send({ path: `/api/sops/${id}/export?format=json${query}` })
      ).json() as ExportedSop;
      return [status, state];
    };
    const waiting = await user.client.sops.create({ body: publish("2099-01-01") });
    expect(await statusOf(waiting.id)).toEqual(["scheduled", "scheduled"]);
    const { id } = await user.client.sops.create({ body: publish(null) });
    expect(await statusOf(id)).toEqual(["published", "published"]);
    await user.client.sops.update({ params: { id }, body: { ...publish(null), title: "Two" } });
    expect(await statusOf(id, "&version=1")).toEqual(["superseded", "superseded"]);
    await user.client.sops.update({ params: { id }, body: { ...publish("2099-01-01"), title: "Three" } });
    expect(await statusOf(id)).toEqual(["scheduled", "scheduled"]);
    expect(await statusOf(id, "&view=published")).toEqual(["published", "published"]);
    const { id: written } = await user.client.sops.create({ body: draft });
    expect(await statusOf(written)).toEqual(["draft", "draft"]);
  });

  test("restores a deleted SOP for 30 days, and not later", async () => {
    const company = await server().company();
    const admin = await company.user("admin");
    const body = { title: "T", description: "D", markdown: "M" };
    const [one, other] = [await admin.client.sops.create({ body }), await admin.client.sops.create({ body })];
    const wait = async (ms: number) => {
      server().clock.advance(ms);
      const seen = { $set: { lastSeenAt: server().clock.now() } };
      await server().db.collection("sessions").updateMany({}, seen);
    };
    for (const { id } of [one, other]) await admin.client.sops.remove({ params: { id } });
    await wait(30 * 24 * 3_600_000);
    await admin.client.sops.undelete({ params: { id: one.id } });
    await wait(1);
    await expect(admin.client.sops.undelete({ params: { id: other.id } })).rejects.toMatchObject({ status: 404 });
    expect((await admin.client.sops.list()).data.map(({ id }) => id)).toEqual([one.id]);
  });

  test("hides a deleted SOP from all users, and restores it with its number", async () => {
    const company = await server().company();
    const [admin, reader] = [await company.user("admin"), await company.user("viewer")];
    const { id } = await admin.client.sops.create({ body: { ...draft, status: "published" } });
    expect(await admin.client.stats.get()).toMatchObject({ totalSOPs: 1 });
    await admin.client.sops.remove({ params: { id } });
    for (const user of [admin, reader]) {
      for (const path of ["", "/versions", "/versions/1", "/export"]) {
        expect((await user.send({ path: `/api/sops/${id}${path}` })).status).toBe(404);
      }
      expect((await user.client.sops.list({ query: { total: "true" } })).total).toBe(0);
      expect(await user.client.stats.get()).toMatchObject({ totalSOPs: 0 });
    }
    await expect(reader.client.sops.undelete({ params: { id } })).rejects.toMatchObject({ status: 404 });
    const next = await admin.client.sops.create({ body: draft });
    expect(next.number).toBe("SOP-0002");
    const back = await admin.client.sops.undelete({ params: { id } });
    expect(back).toMatchObject({ number: "SOP-0001", status: "published", published: { version: 1 } });
    expect((await reader.client.sops.get({ params: { id } })).title).toBe(draft.title);
    await expect(admin.client.sops.undelete({ params: { id } })).rejects.toMatchObject({ status: 404 });
  });

  test("creates once for one Idempotency-Key", async () => {
    const user = await manager();
    const create = (body: object, idempotencyKey: string) =>
      user.client.sops.create({ body: { ...draft, ...body }, idempotencyKey });
    const first = await create({}, "key-1");
    expect(await create({}, "key-1")).toEqual(first);
    const other = create({ title: "Other" }, "key-1");
    await expect(other).rejects.toMatchObject({ status: 422, code: "unprocessable", details: { id: first.id } });
    const both = await Promise.all([create({}, "key-2").catch(code), create({}, "key-2").catch(code)]);
    expect(both.filter((one) => typeof one === "object").length).toBeGreaterThanOrEqual(1);
    expect((await user.client.sops.list({ query: { total: "true" } })).total).toBe(2);
    // what was refused may be tried again
    expect(await create({ title: "" }, "key-3").catch(code)).toBe("400 invalid_input");
    expect((await create({}, "key-3")).version).toBe(1);
    // a key belongs to its user
    const somebody = await manager();
    expect((await somebody.client.sops.create({ body: draft, idempotencyKey: "key-1" })).id).not.toBe(first.id);
  });

  test("doesn't repeat a create whose answer was lost in a crash, and returns its SOP", async () => {
    const user = await manager();
    const { render } = server().running.services;
    const whole = render.render;
    render.render = async () => {
      throw new Error("the server dies between commit and answer");
    };
    const first = user.client.sops.create({ body: draft, idempotencyKey: "crash" });
    await expect(first.finally(() => (render.render = whole))).rejects.toMatchObject({ status: 500 });
    const [made] = (await user.client.sops.list()).data;
    server().clock.advance(3_600_000);
    await removeExpiredRecords(server().db, server().running.services.blobs, server().clock);
    const again = user.client.sops.create({ body: draft, idempotencyKey: "crash" });
    await expect(again).rejects.toMatchObject({ status: 409, details: { id: made?.id } });
    expect((await user.client.sops.list({ query: { total: "true" } })).total).toBe(1);
  });

  test("leaves one audit row and one ledger event for each step of each write", async () => {
    const user = await manager();
    const { id } = await user.client.sops.create({ body: { ...draft, status: "published" } });
    await user.client.sops.update({ params: { id }, body: { title: "Two" } });
    await user.client.sops.archive({ params: { id }, body: { changeNote: "Old" } });
    const company = server().db.forCompany(user.companyId);
    const audit = await company.collection("audit_logs").find({ entityId: id }, { sort: { _id: 1 } });
    expect(audit.map(({ action, userId }) => [action, userId])).toEqual(
      ["sop.create", "sop.publish", "sop.save", "sop.archive"].map((action) => [action, user.id]),
    );
    expect(audit.every(({ requestId, ipAddress }) => requestId !== null && ipAddress !== null)).toBe(true);
    const events = await company.collection("repo_events").find({}, { sort: { seq: 1 } });
    expect(events.map(({ seq, type }) => `${seq} ${type}`)).toEqual([
      "0 found",
      "1 create",
      "2 publish",
      "3 save",
      "4 archive",
    ]);
  });
});
