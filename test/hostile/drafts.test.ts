/** Small ways in which a draft could leak: dates, times of events, headers. */
import { expect, test } from "vitest";
import { exchange } from "../http.ts";
import { describeServer, json, type TestUser } from "../server.ts";

const text = (word: string) => ({ title: word, description: word, markdown: word });

describeServer("drafts", (server) => {
  const people = async () => {
    const company = await server().company();
    return {
      manager: await company.user("manager"),
      readers: [await company.user("reviewer"), await company.user("contributor"), await company.user("viewer")],
    };
  };
  const everything = async (user: TestUser, id: string) => [
    await user.client.sops.get({ params: { id } }),
    (await user.client.sops.list({ query: { total: "true" } })).data,
    await user.client.sops.versions({ params: { id } }),
    await user.client.categories.list(),
    await user.client.stats.get(),
    (await user.send({ path: `/api/sops/${id}/export?format=json` })).json(),
  ];

  test("nothing that a reader is answered changes with a draft in work", async () => {
    const { manager, readers } = await people();
    const { id } = await manager.client.sops.create({ body: { ...text("Open"), status: "published" } });
    await server().running.services.repositories.drain(manager.companyId);
    // visits of readers are counted from time to time, even without a draft
    const answers = async () =>
      JSON.parse(
        JSON.stringify(await Promise.all(readers.map((user) => everything(user, id))), (key, value: unknown) =>
          key === "views" ? "counted" : value,
        ),
      ) as unknown;
    const before = await answers();
    server().clock.advance(60_000);
    await manager.client.sops.update({
      params: { id },
      body: {
        ...text("Secret"),
        reviewBy: "2031-01-01",
        effectiveAt: "2026-05-01",
        tags: ["secret"],
        lang: "de",
        readTime: 77,
        isTemplate: true,
        isAiGenerated: true,
        ownerId: manager.id,
        status: "draft",
        changeNote: "Secret",
      },
    });
    expect(await answers()).toEqual(before);
    await manager.client.sops.publish({ params: { id }, body: {} });
    for (const reader of readers)
      expect(await reader.client.sops.get({ params: { id } })).toMatchObject({
        title: "Secret",
        reviewBy: "2031-01-01",
      });
  });

  test("events tell of an SOP those who can read it, and readers only of what they see", async () => {
    const { manager, readers } = await people();
    const streams = await Promise.all([manager, ...readers].map((user) => listen(user)));
    const draft = await manager.client.sops.create({ body: text("Draft") });
    const open = await manager.client.sops.create({ body: { ...text("Open"), status: "published" } });
    await manager.client.sops.update({ params: { id: open.id }, body: text("Secret") });
    await manager.client.sops.publish({ params: { id: open.id }, body: {} });
    const [own, ...others] = streams;
    expect(await own?.told(4)).toEqual([draft.id, open.id, open.id, open.id]);
    for (const reader of others) expect(await reader.told(2)).toEqual([open.id, open.id]);
  });

  async function listen(user: TestUser) {
    const ids: (string | null)[] = [];
    let more = Promise.withResolvers<void>();
    const response = await fetch(`${server().url}/api/events`, { headers: { cookie: user.cookie } });
    const read = async () => {
      let waiting = "";
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        waiting += chunk;
        const messages = waiting.split("\n\n");
        waiting = messages.pop() ?? "";
        for (const message of messages) {
          const data = /^data: (.*)$/m.exec(message)?.[1];
          if (data !== undefined) ids.push((JSON.parse(data) as { sopId: string | null }).sopId);
        }
        more.resolve();
      }
    };
    void read().catch(() => undefined);
    return {
      async told(count: number) {
        while (ids.length < count) {
          await more.promise;
          more = Promise.withResolvers();
        }
        await response.body?.cancel().catch(() => undefined);
        return ids;
      },
    };
  }

  test("refuses a write that names a version it did not see, for every verb", async () => {
    const { manager } = await people();
    const { id } = await manager.client.sops.create({ body: text("One") });
    await manager.client.sops.update({ params: { id }, body: text("Two") });
    const send = (method: string, path: string, body?: string) =>
      exchange(server().url, {
        method,
        path,
        headers: { cookie: manager.cookie, origin: server().url, "if-match": '"v1"', ...(body ? json : {}) },
        ...(body ? { body } : {}),
      });
    expect((await send("PUT", `/api/sops/${id}`, "{}")).status).toBe(412);
    expect((await send("DELETE", `/api/sops/${id}`)).status).toBe(412);
    for (const verb of ["publish", "archive", "restore/1"])
      expect([verb, (await send("POST", `/api/sops/${id}/${verb}`, "{}")).status]).toEqual([verb, 412]);
    await manager.client.sops.remove({ params: { id } });
    expect((await send("POST", `/api/sops/${id}/undelete`, "{}")).status).toBe(412);
  });
});
