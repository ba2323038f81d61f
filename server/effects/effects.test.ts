/** One function writes the traces of a change, and followers get its events: in the transaction, or later. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { describeServer, type TestUser } from "../../test/server.ts";
import { settingsHandlers } from "../settings/handlers.ts";
import { tokenHandlers } from "../tokens/handlers.ts";
import type { DomainEvent } from "./events.ts";
import type { OutboxDocument } from "../database/documents.ts";
import type { OutboxHandler } from "../jobs/outbox.ts";
import { createHandlersByOutbox } from "../outboxes.ts";
import { runAndEnqueueFollowers, createOutboxHandlers } from "./follow.ts";
import type { Follower } from "./follower.ts";
import { followers } from "./followers.ts";
import { recordChange } from "./record.ts";

const text = { title: "Press", description: "How to start it", markdown: "Check the guard.\n" };
const created: DomainEvent<"team.created"> = {
  kind: "team.created",
  companyId: "company",
  at: "2026-06-03T08:00:00.000Z",
  actor: null,
  entityType: "team",
  entityId: "team",
  facts: null,
};

describeServer("a change", (server) => {
  const identityOf = async ({ id, companyId, role }: TestUser) => {
    const user = await server().db.collection("users").findOne({ _id: id });
    if (!user) throw new Error("the user is gone");
    const actor = { userId: id, companyId, role, teamIds: [], reach: {} } as never;
    return { user, actor, tokenId: null, session: null };
  };
  const tracesOf = async (companyId: string) => {
    const { db } = server();
    const numbers = [
      await db.collection("audit_logs").countDocuments({ companyId }),
      await db.collection("events").countDocuments({ companyId }),
      await db.collection("outbox").countDocuments({ companyId }),
    ];
    return numbers.join(" ");
  };

  test("by a user who has just lost access leaves no trace", async () => {
    const company = await server().company();
    const boss = await company.user("company_admin");
    const identity = await identityOf(boss);
    const asked = () =>
      server().db.transaction((tx) =>
        recordChange(
          tx,
          { identity, origin: null },
          { companyId: company.id, at: server().clock.now(), hears: { resources: ["acknowledgements"] } },
          { action: "sop.acknowledgement_ask", entityType: "sop", entityId: "sop" },
        ),
      );
    const before = await tracesOf(company.id);
    await server()
      .db.collection("users")
      .updateOne({ _id: boss.id }, { $set: { status: "suspended" } });
    await expect(asked()).rejects.toMatchObject({ code: "unauthenticated" });
    expect(await tracesOf(company.id)).toBe(before);
    await server()
      .db.collection("users")
      .updateOne({ _id: boss.id }, { $set: { status: "active" } });
    await asked();
    expect(await tracesOf(company.id)).not.toBe(before);
  });

  test("of a token or of settings is refused once access has ended in the course of the request", async () => {
    const company = await server().company();
    const user = await company.user("manager");
    const call = { identity: await identityOf(user), origin: null, idempotency: null, params: {} };
    await server()
      .db.collection("users")
      .updateOne({ _id: user.id }, { $set: { status: "suspended" } });
    const { services } = server().running;
    const createToken = tokenHandlers(services, {} as never).create({
      ...call,
      body: { name: "CI", scopes: ["sops:read"], expiresInDays: 1 },
    } as never);
    await expect(createToken).rejects.toMatchObject({ code: "unauthenticated" });
    const update = settingsHandlers(services, {} as never).update({
      ...call,
      body: { aiFeaturesEnabled: false },
    } as never);
    await expect(update).rejects.toMatchObject({ code: "unauthenticated" });
    expect(await server().db.collection("tokens").find({ userId: user.id })).toEqual([]);
  });

  test("of another company reaches the browsers of both", async () => {
    const [own, other] = [await server().company(), await server().company()];
    const identity = await identityOf(await own.user("system_admin"));
    const before = [await tracesOf(own.id), await tracesOf(other.id)];
    const change = { companyId: other.id, at: server().clock.now(), hears: { resources: ["company"] as const } };
    await server().db.transaction((tx) =>
      recordChange(tx, { identity, origin: null }, change, {
        action: "company.update",
        entityType: "company",
        entityId: other.id,
      }),
    );
    const added = [await tracesOf(own.id), await tracesOf(other.id)].map((now, index) =>
      now.split(" ").map((count, at) => Number(count) - Number(before[index]?.split(" ")[at])),
    );
    expect(added).toEqual([
      [0, 1, 0],
      [1, 1, 0],
    ]);
  });

  test("of an SOP and its approval is one stream of events, in order", async () => {
    const heard: string[] = [];
    const listener: Follower = {
      name: "listener",
      follows: [
        "sop.created",
        "sop.saved",
        "sop.published",
        "approval.requested",
        "approval.approved",
        "approval.canceled",
      ],
      async within(_tx, { kind, facts }) {
        heard.push(`${kind}${facts && "published" in facts ? ` ${facts.published.from}→${facts.published.to}` : ""}`);
      },
    };
    const company = await server().company();
    const [editor, boss] = [await company.user("editor"), await company.user("manager")];
    (followers as Follower[]).push(listener);
    try {
      const { id } = await editor.client.sops.create({ body: text });
      const body = { approverIds: [boss.id] };
      await editor.client.sops.requestApproval({ params: { id }, body });
      await editor.client.sops.update({ params: { id }, body: { ...text, markdown: "Check both guards.\n" } });
      const { id: request } = await editor.client.sops.requestApproval({ params: { id }, body });
      await boss.client.approvals.approve({ params: { id: request } });
    } finally {
      (followers as Follower[]).pop();
    }
    expect(heard).toEqual([
      "sop.created null→null",
      "approval.requested",
      "approval.canceled",
      "sop.saved null→null",
      "approval.requested",
      "approval.approved",
      "sop.published null→2",
    ]);
  });

  test("gives its event to a follower later, without secrets of the user", async () => {
    const company = await server().company();
    const boss = await company.user("manager");
    await boss.client.sops.create({ body: { ...text, status: "published" } });
    const items = await server().db.collection("outbox").find({ companyId: company.id, kind: "acknowledgements" });
    expect(items.map(({ payload }) => [payload["kind"], Object.keys(Object(payload["actor"])).sort()])).toEqual([
      ["sop.published", ["_id", "name", "username"]],
    ]);
  });

  test("that fails after its followers leaves nothing of them", async () => {
    const { id: companyId } = await server().company();
    const before = await tracesOf(companyId);
    const later: Follower<"team.created"> = { name: "later", follows: ["team.created"], async later() {} };
    const within: Follower<"team.created"> = {
      name: "within",
      follows: ["team.created"],
      async within() {
        throw new Error("refused");
      },
    };
    const change = (some: Follower[]) =>
      server().db.transaction((tx) => runAndEnqueueFollowers(tx, some, [{ ...created, companyId }]));
    await expect(change([later, within])).rejects.toThrow("refused");
    expect(await tracesOf(companyId)).toBe(before);
  });

  test("is stored for each follower that works later, and for no other one", async () => {
    const { id: companyId } = await server().company();
    const got: DomainEvent[] = [];
    const later = (name: string, kind: DomainEvent["kind"]): Follower => ({
      name,
      follows: [kind],
      async later(_services, event) {
        got.push(event);
      },
    });
    const some = [later("one", "team.created"), later("two", "team.created"), later("three", "team.deleted")];
    const event = { ...created, companyId };
    // far ahead: the server's own outbox knows these followers not
    await server().db.transaction((tx) =>
      runAndEnqueueFollowers(tx, some, [{ ...event, at: "2099-01-01T00:00:00.000Z" }]),
    );
    const items = await server().db.collection("outbox").find({ companyId });
    expect(items.map(({ kind }) => kind).sort()).toEqual(["one", "two"]);
    const handlers = createOutboxHandlers(server().running.services, some);
    expect(Object.keys(handlers)).toEqual(["one", "two", "three"]);
    for (const item of items) await handlers[item.kind]?.(item, new AbortController().signal);
    expect(got.map(({ kind, at }) => `${kind} ${at}`)).toEqual(Array(2).fill("team.created 2099-01-01T00:00:00.000Z"));
    await server().db.collection("outbox").deleteMany({ companyId });
  });

  test("has an outbox of its own for a follower that calls another server, which gets all services and the item", async () => {
    const got: unknown[] = [];
    const outgoing: Follower = {
      name: "outgoing",
      follows: ["team.created"],
      isOutgoing: true,
      async later({ config, keys }, { kind }, { id, signal }) {
        got.push(config.dataDir, keys.firstId(), kind, id, signal.aborted);
      },
    };
    const inside: Follower = { name: "inside", follows: ["team.created"], async later() {} };
    const { services } = server().running;
    const handlers: Record<string, Record<string, OutboxHandler>> = createHandlersByOutbox(services, [
      outgoing,
      inside,
    ]);
    expect(Object.keys(handlers)).toEqual(["emails", "outgoing", "outbox"]);
    expect(Object.keys(handlers["outgoing"] ?? {})).toEqual(["outgoing"]);
    expect(Object.keys(handlers["outbox"] ?? {})).toEqual(["password-forgotten", "inside", "unused-object"]);
    const item = { _id: "item", payload: { kind: "team.created" } } as unknown as OutboxDocument;
    await handlers["outgoing"]?.["outgoing"]?.(item, new AbortController().signal);
    expect(got).toEqual([services.config.dataDir, services.keys.firstId(), "team.created", "item", false]);
  });
});

describe("the code", () => {
  const root = path.join(import.meta.dirname, "..");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  );
  const textOf = (name: string) => readFileSync(path.join(root, name), "utf8");

  test("writes an audit entry beside `record` only in named files", () => {
    const direct = files.filter((name) => /\brecordAudits?\(/.test(textOf(name)));
    // exports and clones read, and change nothing
    const reads = [
      "acknowledgements/handlers.ts",
      "acknowledgements/overview.ts",
      "audit/export.ts",
      "audit/handlers.ts",
      "sops/view/export.ts",
    ];
    expect(direct.filter((name) => !reads.includes(name)).toSorted()).toEqual([
      "admin/demo/people.ts",
      // a call whose server died
      "ai/calls.ts",
      "audit/checkpoints.ts",
      "audit/denials.ts",
      "audit/record.ts",
      "audit/redact.ts",
      "effects/record.ts",
      "git/handler.ts",
      "integrity/reseal.ts",
      "integrity/witness.ts",
      "sign-in/forgot-password.ts",
      "sign-in/record.ts",
      "sign-in/setup.ts",
      "sign-in/unlock.ts",
    ]);
  });

  test("that writes SOPs imports no follower", () => {
    const folders = [...textOf("effects/followers.ts").matchAll(/from "\.\.\/([\w-]+)\//g)].map(([, name]) => name);
    expect(folders).toContain("acknowledgements");
    const imported = [...textOf("sops/edit/write.ts").matchAll(/from "\.\.\/\.\.\/([\w-]+)\//g)].map(
      ([, name]) => name,
    );
    expect(imported.filter((name) => name === "notifications" || folders.includes(name))).toEqual([]);
  });
});
