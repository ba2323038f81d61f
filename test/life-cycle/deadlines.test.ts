/**
 * Two server processes on one database, with their clocks set ahead. The effects of a day happen once, although both
 * start at the same moment. Each of them is stopped and restarted.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { startProcess, type ServerProcess } from "../server-process.ts";
import type { NotificationKind } from "#core/notifications/kinds.ts";
import { describeServer } from "../server.ts";
import { mongoUri } from "../database/mongo-uri.ts";

const hour = 3_600_000;
const day = 24 * hour;
const text = { title: "Boiler check", description: "How the boiler is looked after", markdown: "Look at it." };
const sopCount = 6;

describeServer("deadlines of processes", (server, engine) => {
  const running = new Set<ServerProcess>();
  const folders: string[] = [];
  afterEach(async () => {
    await Promise.all([...running].map((one) => one.stop("SIGKILL")));
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  /** Uses the keys of the server that created the database. */
  async function startAt(millis: number): Promise<ServerProcess> {
    const folder = mkdtempSync(path.join(tmpdir(), "sopwright-deadlines-"));
    folders.push(folder);
    cpSync(path.join(server().dataDir, "keys"), path.join(folder, "keys"));
    const uri = new URL(mongoUri() ?? "");
    uri.pathname = `/${server().dbName}`;
    const env = { DATA_DIR: folder, MONGODB_URI: uri.href, START_AT: new Date(millis).toISOString() };
    const one = await startProcess({ ...env, LOG_LEVEL: "error" }, "test/server-at.ts");
    running.add(one);
    return one;
  }
  const bothAt = (millis: number) => Promise.all([startAt(millis), startAt(millis)]);
  async function end(signal: NodeJS.Signals, ...processes: ServerProcess[]): Promise<void> {
    await Promise.all(processes.map((one) => one.stop(signal)));
    for (const one of processes) running.delete(one);
  }

  const notices = async (userId: string, kind: NotificationKind) =>
    (await server().db.collection("notifications").find({ userId, kind })).map(({ sopId }) => sopId ?? "");
  const permissionsTold = async (userId: string) =>
    (await server().db.collection("events").find({})).filter(
      ({ to, resources }) => to?.includes(userId) && resources.includes("me"),
    ).length;
  const published = (ids: readonly string[]) =>
    server()
      .db.collection("audit_logs")
      .find({ entityId: { $in: [...ids] }, action: "sop.publish" });
  async function until(isSo: () => Promise<boolean>): Promise<void> {
    for (const patience = Date.now() + 60_000; !(await isSo()); await delay(20))
      if (Date.now() > patience) throw new Error("it did not come about");
  }

  test.skipIf(engine !== "mongodb" || mongoUri() === null)(
    "effective dates, review reminders and ends of rights happen once, with two servers that start and stop",
    { timeout: 300_000 },
    async () => {
      const company = await server().company();
      const admin = await company.user("company_admin");
      const [manager, owner] = [await company.user("manager"), await company.user("editor")];
      const began = server().clock.millis();
      const dayAt = (days: number) => new Date(began + days * day).toISOString().slice(0, 10);
      const ids: string[] = [];
      for (let n = 0; n < sopCount; n++) {
        const body = { ...text, status: "published" as const, ownerId: owner.id, reviewBy: dayAt(40) };
        const { id } = await manager.client.sops.create({ body });
        const next = { markdown: "Look twice.", effectiveAt: dayAt(1), status: "published" as const };
        await manager.client.sops.update({ params: { id }, body: next });
        ids.push(id);
      }
      const expiresAt = new Date(began + 2 * hour).toISOString();
      const right = { permission: "sop.publish", granted: true, expiresAt } as const;
      await admin.client.companyPermissions.set({ params: { id: owner.id }, body: right });
      const toldOfPermissions = await permissionsTold(owner.id);
      const sorted = ids.toSorted();
      // this process's server would hold the lease, and its clock stays at the first day
      await server().running.deadlines.close();

      const [stays, goes] = await bothAt(began + day);
      await until(
        async () =>
          (await published(ids)).length >= 2 * sopCount && (await permissionsTold(owner.id)) > toldOfPermissions,
      );
      await end("SIGTERM", goes);
      const again = await startAt(began + day + hour);
      await end("SIGTERM", stays, again);
      expect(await permissionsTold(owner.id)).toBe(toldOfPermissions + 1);
      const third = await bothAt(began + 12 * day);
      await until(async () => (await notices(owner.id, "review_due")).length >= sopCount);
      await end("SIGTERM", ...third);
      const fourth = await startAt(began + 41 * day);
      await until(async () => (await notices(owner.id, "review_overdue")).length >= sopCount);
      await end("SIGTERM", fourth);
      // nothing is left to send: a new server gets the lease, checks, and sends nothing
      const last = await startAt(began + 41 * day + hour);
      const lease = server().db.collection("leases");
      const held = async () => (await lease.findOne({ _id: "deadlines" }))?.until ?? "";
      await until(async () => (await held()) > new Date(0).toISOString());
      await end("SIGTERM", last);

      expect((await published(ids)).map(({ entityId }) => entityId).toSorted()).toEqual(
        [...sorted, ...sorted].toSorted(),
      );
      expect((await notices(owner.id, "published")).toSorted()).toEqual(sorted);
      expect((await notices(owner.id, "review_due")).toSorted()).toEqual(sorted);
      expect((await notices(owner.id, "review_overdue")).toSorted()).toEqual(sorted);
      const sops = await server()
        .db.collection("sops")
        .find({ _id: { $in: ids } });
      expect(sops.map(({ published, scheduled }) => [published?.version ?? null, scheduled])).toEqual(
        ids.map(() => [2, null]),
      );
      const periods = await server()
        .db.collection("published_periods")
        .find({ sopId: { $in: ids }, until: null });
      expect(periods.map(({ sopId, version }) => `${version} ${sopId}`).toSorted()).toEqual(
        sorted.map((id) => `2 ${id}`),
      );
    },
  );
});
