import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { describeServer, type TestUser } from "../../test/server.ts";
import { createKeysCheck } from "./keys.ts";
import { checkAllShares } from "./report.ts";
import { openOrCreateKeyring } from "../keys/keyring.ts";
import { countOlderValues, resealOlderValues } from "./reseal.ts";
import { keyIdOf } from "../keys/seal.ts";

const key = (id: string) => `${id}:${randomBytes(32).toString("base64")}`;
const [a, b] = [key("a"), key("b")];

describeServer(
  "re-encryption",
  (server) => {
    const ring = (appKeys: string) => openOrCreateKeyring({ appKeys, dataDir: server().dataDir });
    const stored = async (user: TestUser) =>
      (await server().db.collection("users").findOne({ _id: user.id }))?.openaiApiKey ?? "";
    const people = async (count: number) => {
      const company = await server().company();
      return Promise.all(Array.from({ length: count }, () => company.user("editor")));
    };

    test("moves every value to the first key, reports what it can't decrypt, is audited, and leaves nothing for a second run", async () => {
      const { db, clock } = server();
      const users = await people(5);
      for (const [n, user] of users.entries()) {
        await user.client.settings.update({ body: { openaiApiKey: `sk-key-of-person-number-${n}` } });
      }
      const [first, lost] = users as [TestUser, TestUser];
      await db
        .collection("users")
        .updateOne({ _id: lost.id }, { $set: { openaiApiKey: ring(b).seal("x", "elsewhere") } });
      const rotated = ring(`${b},${a}`);
      expect(await countOlderValues(db, "b")).toBe(4);
      const damaged = (await stored(lost)).replace("v1.b.", "v1.gone.");
      await db.collection("users").updateOne({ _id: lost.id }, { $set: { openaiApiKey: damaged } });

      expect(await resealOlderValues(db, rotated, clock)).toEqual({
        resealed: 4,
        current: 0,
        unreadable: [{ value: `AI key of user ${lost.id}`, kid: "gone" }],
      });
      for (const [n, user] of users.entries()) {
        if (user === lost) continue;
        expect(keyIdOf(await stored(user))).toBe("b");
        const opened = rotated.open(await stored(user), `users/${user.id}/openaiApiKey`);
        expect(opened).toEqual({ ok: true, text: `sk-key-of-person-number-${n}` });
      }
      expect(await stored(lost)).toBe(damaged);
      const rows = await db.forCompany(first.companyId).collection("audit_logs").find({ action: "settings.reseal" });
      expect(rows.map(({ entityId }) => entityId).sort()).toEqual(
        users
          .filter((user) => user !== lost)
          .map(({ id }) => id)
          .sort(),
      );
      expect(rows[0]?.changes).toEqual({ key: { from: "a", to: "b" } });

      expect(await resealOlderValues(db, rotated, clock)).toMatchObject({ resealed: 0, current: 4 });
      // the server has the old ring alone: it says so and stays up
      expect(await first.client.settings.get()).toMatchObject({ hasApiKey: false });
      expect((await first.client.settings.get()).apiKeyProblem).toContain("no longer has the key");
      await db.collection("users").updateMany({}, { $set: { openaiApiKey: null } });
    });

    test("keeps a key that its user changes at the same time", async () => {
      const { db, clock } = server();
      const [user] = (await people(1)) as [TestUser];
      await user.client.settings.update({ body: { openaiApiKey: "sk-the-first-key-of-all" } });
      const rotated = ring(`${b},${a}`);
      const during = {
        ...db,
        transaction: async (run: Parameters<typeof db.transaction>[0]) => {
          await user.client.settings.update({ body: { openaiApiKey: "sk-the-second-key-of-all" } });
          return db.transaction(run);
        },
      } as typeof db;
      expect(await resealOlderValues(during, rotated, clock)).toMatchObject({ resealed: 0 });
      expect(rotated.open(await stored(user), `users/${user.id}/openaiApiKey`)).toEqual({
        ok: true,
        text: "sk-the-second-key-of-all",
      });
      expect(await resealOlderValues(db, rotated, clock)).toMatchObject({ resealed: 1 });
      await db.collection("users").updateMany({}, { $set: { openaiApiKey: null } });
    });

    test("covers the token of a mirror", async () => {
      const { db, clock } = server();
      const company = await server().company();
      const _id = company.id;
      const at = clock.now();
      const stopped = [{ ref: "refs/heads/main", theirs: "a", ours: "b" }];
      await db.collection("mirrors").insertOne({
        _id,
        companyId: _id,
        url: "https://github.com/acme/sops",
        username: "x",
        provider: "github",
        history: false,
        updatedAt: at,
        updatedBy: "a",
        round: 1,
        diverged: stopped,
        problem: null,
        failures: 0,
        retryAt: null,
        pushedSeq: -1,
        pushedMain: null,
        pushedAt: null,
        secret: null,
        isCalled: false,
        incoming: null,
        isTaking: false,
        stoppedTaken: null,
        checkedAt: at,
        token: ring(a).seal("a token", `mirrors/${_id}/token`),
      });
      const rotated = ring(`${b},${a}`);
      expect(await countOlderValues(db, "b")).toBe(1);
      expect(await resealOlderValues(db, rotated, clock)).toEqual({ resealed: 1, current: 0, unreadable: [] });
      const token = (await db.collection("mirrors").findOne({ _id }))?.token ?? "";
      expect([keyIdOf(token), rotated.open(token, `mirrors/${_id}/token`)]).toEqual([
        "b",
        { ok: true, text: "a token" },
      ]);
      expect((await checkAllShares(createKeysCheck(db, ring(a)))).findings).toEqual([
        `token of the mirror of company ${_id}: key b is not in the keyring`,
      ]);
      await db.collection("mirrors").deleteOne({ _id });
    });

    test("covers more than one page", async () => {
      const { db, clock } = server();
      const [sample] = (await people(1)) as [TestUser];
      const user = await db.collection("users").findOne({ _id: sample.id });
      if (!user) throw new Error("the user is there");
      const ids = Array.from({ length: 450 }, (_, n) => `many-${n}`);
      const ringA = ring(a);
      await db.collection("users").insertMany(
        ids.map((_id) => ({
          ...user,
          _id,
          username: _id,
          openaiApiKey: ringA.seal(_id, `users/${_id}/openaiApiKey`),
        })),
      );
      const rotated = ring(`${b},${a}`);
      expect(await resealOlderValues(db, rotated, clock)).toEqual({ resealed: 450, current: 0, unreadable: [] });
      expect(await countOlderValues(db, "b")).toBe(0);
    });
  },
  { env: { APP_KEYS: a } },
);
