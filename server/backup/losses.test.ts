/** After a restore without a version or an event, the company's repository goes on around what is lost. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "#core/clock.ts";
import { describeOnMongo, mongoUri } from "../../test/database/mongo-uri.ts";
import { git, gitFolder } from "../../test/git.ts";
import { startGitHost, type GitHost } from "../../test/git-host.ts";
import { gitWriter } from "../../test/git-writer.ts";
import { node } from "../../test/node-program.ts";
import { configOf, passphrase, restoreInto, verifyAgainst } from "../../test/restored-backup.ts";
import { cookieOf, startServer, type TestServer, type TestUser } from "../../test/server.ts";
import type { Config } from "../config.ts";
import type { BaseDocument, Collection } from "../database/port.ts";
import { makeBackup } from "./make.ts";

const root = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "sopwright-losses-"));
let host: GitHost;
beforeAll(async () => void (host = await startGitHost()));
afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What `sop verify` and `verify.py` say of a clone: the events that it lacks. Both must say the same. */
async function proof(clone: string): Promise<{ told: string[]; events: string[] }> {
  const programs = [
    [node, path.join(root, "cli/main.ts"), "verify", clone],
    ["python3", path.join(root, "verify.py"), clone],
  ];
  const told = await Promise.all(
    programs.map(
      ([program = "", ...args]) =>
        new Promise<string>((done) => void execFile(program, args, (_, stdout, stderr) => done(stdout + stderr))),
    ),
  );
  const [events = [], peer] = told.map((text) => [
    ...new Set([...text.matchAll(/^ *(event \d+), commit [0-9a-f]{40}/gm)].map(([, event = ""]) => event)),
  ]);
  expect(peer).toEqual(events);
  return { told: told.filter((text) => /^no: |ALTERED/m.test(text) || !/^incomplete/im.test(text)), events };
}

const rinse = "sops/uncategorized/sop-0001-rinse-the-mill.md";
const oil = "sops/uncategorized/sop-0002-oil-the-mill.md";

const suite = (engine: "sqlite" | "mongodb") => () => {
  let dir = "";
  let remove = () => {};
  let made = 0;
  let source: TestServer | null = null;
  let restored: TestServer | null = null;
  const server = (): TestServer => {
    if (!source) throw new Error("the server is started before the tests");
    return source;
  };
  beforeEach(async () => void (source = await startServer("sqlite", { env: databaseOf("source") })));
  beforeEach(() => ({ dir, remove } = gitFolder()));
  afterEach(async () => {
    await source?.stop();
    await restored?.stop();
    remove();
  });
  const databaseOf = (name: string): Record<string, string> => {
    const uri = engine === "mongodb" ? mongoUri() : null;
    if (uri === null) return {};
    const url = new URL(uri);
    url.pathname = `/losses_${process.pid}_${Date.now()}_${name}`;
    return { MONGODB_URI: url.href };
  };
  const target = () => {
    const name = `${engine}-${(made += 1)}`;
    const env = databaseOf(name);
    const config = configOf(folder, name, env);
    return { config, env: { ...env, DATA_DIR: config.dataDir } };
  };
  const startOn = async (env: Record<string, string>): Promise<TestServer> =>
    (restored = await startServer("sqlite", {
      env: { ...env, MIRROR_HOSTS: host.url },
      start: "2026-07-01T08:00:00.000Z",
    }));
  const signedIn = async (there: TestServer, { username }: TestUser): Promise<TestUser> => {
    const cookie = cookieOf(await there.signIn(username));
    return { username, client: there.clientWith({ cookie }) } as TestUser;
  };
  const story = async () => {
    const company = await server().company();
    const [admin, manager] = [await company.user("company_admin"), await company.user("manager")];
    const make = (title: string) =>
      admin.client.sops.create({ body: { title, description: "D", markdown: `${title}.\n` } });
    const publish = (id: string) => admin.client.sops.publish({ params: { id }, body: {} });
    const [kept, lost] = [await make("Rinse the mill"), await make("Oil the mill")];
    await publish(lost.id);
    await admin.client.sops.update({
      params: { id: lost.id },
      body: { title: "Oil the big mill", markdown: "Oil.\n" },
    });
    await publish(lost.id);
    await publish(kept.id);
    await admin.client.sops.update({ params: { id: lost.id }, body: { markdown: "Oil it twice.\n" } });
    const { repositories } = server().running.services;
    await repositories.drain(company.id);
    return { company, admin, manager, kept, lost };
  };
  type Story = Awaited<ReturnType<typeof story>>;

  /** A document without one of its fields can't be read. */
  const unset = async (
    name: "sop_versions" | "repo_events",
    one: BaseDocument | null,
    field: string,
  ): Promise<void> => {
    const collection = server().db.collection(name) as unknown as Collection<BaseDocument>;
    const { matchedCount } = await collection.updateOne({ _id: one?._id ?? "" }, { $unset: { [field]: "" } as never });
    expect(matchedCount).toBe(1);
  };
  const event = (companyId: string, seq: number) =>
    server().db.forCompany(companyId).collection("repo_events").findOne({ seq });
  const losses: [string, (made: Story) => Promise<{ named: string[]; main: string[] }>][] = [
    [
      "a published version",
      async ({ company, lost }) => {
        const versions = server().db.forCompany(company.id).collection("sop_versions");
        await unset("sop_versions", await versions.findOne({ sopId: lost.id, version: 2 }), "markdown");
        // saved, then published
        return { named: ["event 4", "event 5"], main: [rinse] };
      },
    ],
    [
      "an event",
      async ({ company }) => {
        await unset("repo_events", await event(company.id, 4), "type");
        return { named: ["event 4"], main: [rinse, oil] };
      },
    ],
    [
      "an event that withdrew an SOP",
      async ({ company, admin, lost }) => {
        await admin.client.sops.unpublish({ params: { id: lost.id }, body: {} });
        await unset("repo_events", await event(company.id, 8), "type");
        return { named: ["event 8"], main: [rinse] };
      },
    ],
    [
      "the last event",
      async ({ company }) => {
        await unset("repo_events", await event(company.id, 7), "type");
        return { named: ["event 7"], main: [rinse, oil] };
      },
    ],
  ];

  const backUp = async (config: Config) => {
    const file = path.join(folder, `${engine}-${(made += 1)}.gz`);
    const { missing } = await makeBackup({ config, clock: systemClock, target: file, passphrase });
    return { file, missing: [...new Set(missing)] };
  };

  test.each(losses)("goes on without %s: it is committed, mirrored, proven and backed up", async (_, damage) => {
    const written = await story();
    const { company, admin, manager, kept } = written;
    const { named, main } = await damage(written);
    const { file, missing } = await backUp(server().running.services.config);
    // others say what it was
    expect(missing.filter((line) => line.includes("it can't be read"))).toHaveLength(1);

    const first = target();
    await restoreInto(first.config, file);
    expect(await verifyAgainst(first.config, file)).toEqual([]);

    const there = await startOn(first.env);
    const [ada, max] = [await signedIn(there, admin), await signedIn(there, manager)];
    const params = { id: kept.id };
    await ada.client.sops.update({ params, body: { markdown: "Rinse it twice.\n" } });
    const request = await ada.client.sops.requestApproval({ params, body: { approverIds: [manager.id] } });
    await max.client.approvals.approve({ params: { id: request.id } });
    const { clone, edit, commit, push } = gitWriter(
      () => there,
      () => dir,
    );
    const at = await clone(company, ada, "pushing");
    edit(at, "sops/uncategorized/sop-0001-rinse-the-mill.md", "twice", "three times");
    await commit(at);
    expect((await push(at)).code).toBe(0);
    const { repositories } = there.running.services;
    await repositories.drain(company.id);
    const events = await there.db.collection("repo_events").find({ companyId: company.id }, { sort: { seq: 1 } });
    expect(events.filter(({ state }) => state === "pending")).toEqual([]);
    const head = await repositories.head(company.id);
    expect([events.at(-1)?.oids.history, head.lag]).toEqual([head.history, 0]);
    expect(events.at(-1)?.seq).toBeGreaterThan(9);

    const url = await host.create(`mirror-${engine}-${(made += 1)}`);
    await ada.client.mirror.update({ body: { url, username: "mirror", token: host.token, history: true } });
    await there.running.mirrors.run();
    expect(await ada.client.mirror.get()).toMatchObject({ state: "current", lag: 0, problem: null });
    mkdirSync(path.join(dir, "mirrored"));
    await git(path.join(dir, "mirrored"), "clone", "-q", host.withToken(url), "clone");
    const mirrored = path.join(dir, "mirrored/clone");
    expect((await git(mirrored, "rev-parse", "origin/history")).trim()).toBe(head.history);
    const filesOn = async (branch: string) =>
      (await git(mirrored, "ls-tree", "-r", "--name-only", `origin/${branch}`, "sops")).trim().split("\n");
    expect([await filesOn("main"), await filesOn("history")]).toEqual([main, [rinse, oil]]);
    expect(await git(mirrored, "show", `origin/history:${oil}`)).toContain("Oil it twice.");
    expect(await proof(mirrored)).toEqual({ told: [], events: named });

    await there.running.stop();
    const later = await backUp(first.config);
    expect(later.missing).toEqual([]);
    expect(await verifyAgainst(first.config, later.file)).toEqual([]);
    // made again from the ledger, the commits are the same
    const again = target();
    await restoreInto(again.config, later.file);
    expect(await verifyAgainst(again.config, later.file)).toEqual([]);
    const third = await startOn(again.env);
    await third.running.services.repositories.drain(company.id);
    expect(await third.running.services.repositories.head(company.id)).toEqual(head);
    await third.running.stop();
    // a start changes entries of system
    expect((await verifyAgainst(again.config, later.file)).filter((line) => !line.startsWith("backup: "))).toEqual([]);
  });
};

describe("a restored repository on SQLite", suite("sqlite"));
describeOnMongo("a restored repository", suite("mongodb"));
