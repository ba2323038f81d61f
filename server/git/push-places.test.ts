/** Slow pushes and pushes that find no place: the work of others goes on, and nothing stays behind. */
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";
import { setInterval as ticks } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { git, gitFolder } from "../../test/git.ts";
import { gitWriter } from "../../test/git-writer.ts";
import { describeServer } from "../../test/server.ts";
import { crowdedPace, resources } from "../capacity/resources.ts";

describeServer("places for pushes", (server) => {
  let dir = "";
  let remove = () => {};
  beforeEach(() => ({ dir, remove } = gitFolder()));
  afterEach(() => remove());

  const { addressOf, publish, clone, write, commit, push } = gitWriter(server, () => dir);
  const idle = { running: 0, waiting: 0 };
  const stored = () => readdirSync(path.join(server().dataDir, "pushes"));
  const loads = () => {
    const { pushes, pushBodies } = server().running.services.shares;
    return { bodies: pushBodies.load(), work: pushes.load() };
  };
  /** A clone of a new company with one commit to push. @param noise bytes that git can't pack */
  const changed = async (noise: number) => {
    const company = await server().company();
    const manager = await company.user("manager");
    await publish(manager, "Rinse the mill", "Rinse it.\n");
    const at = await clone(company, manager);
    write(at, "sops/uncategorized/grind.md", '---\ntitle: "Grind"\n---\n\nGrind.\n');
    if (noise > 0) write(at, "noise.bin", randomBytes(noise));
    await commit(at);
    return { company, manager, at };
  };

  test("four pushes of two companies at the least pace keep no place from a third", async () => {
    const slow = new AbortController();
    const senders: ReturnType<typeof request>[] = [];
    for (const company of [await server().company(), await server().company()]) {
      for (let n = 0; n < 2; n += 1) {
        const address = new URL(await addressOf(company, await company.user("manager")));
        const sender = request(server().url, {
          method: "POST",
          path: `${address.pathname}/git-receive-pack`,
          headers: {
            authorization: `Bearer ${address.password}`,
            "content-type": "application/x-git-receive-pack-request",
          },
        });
        sender.on("error", () => undefined);
        senders.push(sender);
      }
    }
    const perTick = Buffer.alloc(crowdedPace.bytesPerSecond / 4, "0");
    const sending = (async () => {
      for await (const _ of ticks(250, null, { signal: slow.signal })) for (const one of senders) one.write(perTick);
    })().catch(() => undefined);
    try {
      await expect.poll(loads, { timeout: 20_000 }).toEqual({ bodies: { running: 4, waiting: 0 }, work: idle });
      for (const noise of [0, 200_000]) {
        const { at } = await changed(noise);
        const { code, remote } = await push(at);
        expect([code, remote]).toEqual([0, expect.arrayContaining([expect.stringContaining("new draft")])]);
        expect(loads()).toEqual({ bodies: { running: 4, waiting: 0 }, work: idle });
      }
    } finally {
      slow.abort();
      await sending;
      for (const one of senders) one.destroy();
    }
    await expect.poll(() => [loads(), stored()], { timeout: 20_000 }).toEqual([{ bodies: idle, work: idle }, []]);
  });

  test.each(["pushBodies", "pushes"] as const)(
    "a push that finds no place of %s is refused in a sentence, also one that is sent in chunks",
    async (name) => {
      const { company, manager, at } = await changed(200_000);
      const places = server().running.services.shares[name];
      const mine = { companyId: company.id, userId: manager.id };
      const leave = await places.enter(mine);
      const waiting = Array.from({ length: resources[name].userWaiting }, () => places.enter(mine));
      for (const one of waiting) one.catch(() => undefined);
      const words = ["Too much of your work is waiting.", "  Push again in 60 seconds."];
      for (const buffer of ["1048576", "65536"]) {
        await git(at, "config", "http.postBuffer", buffer);
        const { code, stderr, remote } = await push(at);
        expect([code, remote]).toEqual([1, words]);
        expect(stderr).toContain("(Too much of your work is waiting)");
        expect(stderr).not.toContain("HTTP 429");
        expect(stored()).toEqual([]);
      }
      leave();
      for (const one of waiting) (await one)();
      expect((await push(at)).code).toBe(0);
      expect([loads(), stored()]).toEqual([{ bodies: idle, work: idle }, []]);
    },
  );

  test("a push waits for its place with its body on the disk", async () => {
    const { company, manager, at } = await changed(200_000);
    const { pushes } = server().running.services.shares;
    const leave = await pushes.enter({ companyId: company.id, userId: manager.id });
    const answer = push(at);
    const waits = { bodies: { running: 1, waiting: 0 }, work: { running: 1, waiting: 1 } };
    await expect.poll(loads, { timeout: 20_000 }).toEqual(waits);
    expect(stored()).toHaveLength(1);
    leave();
    expect((await answer).code).toBe(0);
    expect([loads(), stored()]).toEqual([{ bodies: idle, work: idle }, []]);
  });
});
