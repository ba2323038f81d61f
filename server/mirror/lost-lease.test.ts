/** Two servers on one database: one pushes at a time, and one whose lease is gone stops in the middle. */
import { afterAll, beforeAll, expect, test } from "vitest";
import pino from "pino";
import { startGitHost, type GitHost } from "../../test/git-host.ts";
import { describeOnMongo } from "../../test/database/mongo-uri.ts";
import { startServer, type TestServer } from "../../test/server.ts";
import { createLeases } from "../jobs/leases.ts";
import { createJobWatch } from "../jobs/overdue.ts";
import { startMirrors } from "./job.ts";

const later = () => new Date(Date.now() + 4_000).toISOString();
const silent = pino({ level: "silent" });

describeOnMongo("mirrors of two servers", () => {
  let host: GitHost;
  let server: TestServer;
  beforeAll(async () => {
    host = await startGitHost();
    server = await startServer("mongodb", { env: { MIRROR_HOSTS: host.url } });
  });
  afterAll(async () => {
    await server.stop();
    await host.stop();
  });

  test("stop in the middle of a push when the lease is lost, and store nothing", async () => {
    const company = await server.company();
    const admin = await company.user("company_admin");
    const url = await host.create("lease");
    const pushing = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    host.answer = async (request, response) => {
      if (request.method !== "POST" || !request.url?.endsWith("git-receive-pack")) return false;
      pushing.resolve();
      response.once("close", () => gone.resolve());
      await goOn.promise;
      return false;
    };
    // two jobs that look often at their lease, in place of the server's own
    await server.running.mirrors.close();
    const jobOf = (holder: string) => {
      const leases = createLeases(server.db, holder);
      return {
        leases,
        mirrors: startMirrors(server.running.services, leases, createJobWatch(silent), { leaseMs: 4_000 }),
      };
    };
    const [first, second] = [jobOf("first"), jobOf("second")];
    const lease = `mirror:${company.id}`;
    await createLeases(server.db, "a third").acquire(lease, 60_000);
    await admin.client.mirror.update({ body: { url, username: "x", token: host.token } });
    await Promise.all([first.mirrors.run(), second.mirrors.run()]);
    expect(host.requests).toEqual([]);

    await server.db.collection("leases").deleteOne({ _id: lease });
    const runs = Promise.all([first.mirrors.run(), second.mirrors.run()]);
    await pushing.promise;
    await server.db.collection("leases").updateOne({ _id: lease }, { $set: { holder: "a third", until: later() } });
    await gone.promise;
    goOn.resolve();
    await runs;
    expect(host.requests.filter(({ path }) => path.endsWith("/git-receive-pack"))).toHaveLength(1);
    expect(await admin.client.mirror.get()).toMatchObject({ state: "waiting", pushedAt: null, problem: null });
    expect(await host.refs("lease")).toEqual({});

    host.answer = null;
    await server.db.collection("leases").deleteOne({ _id: lease });
    await second.mirrors.run();
    expect(await admin.client.mirror.get()).toMatchObject({ state: "current" });
    expect(Object.keys(await host.refs("lease"))).toEqual(["refs/heads/main"]);
    await Promise.all([first.mirrors.close(), second.mirrors.close()]);
  });
});
