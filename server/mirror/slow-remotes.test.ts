/** Remotes that answer slowly or never: the mirrors of others go on. */
import { afterAll, beforeAll, expect, test } from "vitest";
import pino from "pino";
import { startGitHost, type GitHost } from "../../test/git-host.ts";
import { describeServer } from "../../test/server.ts";
import { resources } from "../capacity/resources.ts";
import { createLeases } from "../jobs/leases.ts";
import { createJobWatch } from "../jobs/overdue.ts";
import { debounceMs, startMirrors } from "./job.ts";

const silent = pino({ level: "silent" });
const env: Record<string, string> = {};
let host: GitHost;
beforeAll(async () => {
  host = await startGitHost();
  env["MIRROR_HOSTS"] = host.url;
});
afterAll(() => host.stop());

describeServer(
  "mirrors beside slow remotes",
  (server) => {
    test("are pushed to, because slow remotes share one place", async () => {
      const mirrored = async (kind: string) => {
        const company = await server().company();
        const admin = await company.user("company_admin");
        const name = `${kind}-${company.id}`;
        const url = await host.create(name);
        await admin.client.mirror.update({ body: { url, username: "x", token: host.token } });
        return { admin, name };
      };
      // never answers
      host.answer = (request) => request.url?.startsWith("/slow-") ?? false;
      await server().running.mirrors.close();
      const { services } = server().running;
      const places = services.shares.mirrors;
      const { atOnce } = resources.mirrors;
      for (let one = 0; one <= atOnce; one++) await mirrored("slow");
      const mirrors = startMirrors(services, createLeases(server().db, "it"), createJobWatch(silent), {
        usualMs: 4_000,
      });
      const inTime = { timeout: 40_000 };
      const open = () => places.load().running;
      await expect.poll(open, inTime).toBe(atOnce);
      await expect.poll(() => places.load(), inTime).toEqual({ running: 1, waiting: atOnce });

      const { admin, name } = await mirrored("quick");
      const state = async () => (await admin.client.mirror.get()).state;
      await expect.poll(state, inTime).toBe("current");
      const body = { title: "Rinse the mill", description: "D", markdown: "Rinse it.\n" };
      const { id } = await admin.client.sops.create({ body });
      await admin.client.sops.publish({ params: { id }, body: {} });
      // changes wait for others to go with them
      const goneBy = setInterval(() => server().clock.advance(debounceMs), 1_000);
      await expect.poll(async () => (await admin.client.mirror.get()).lag, inTime).toBe(0);
      clearInterval(goneBy);
      expect(await host.refs(name)).toHaveProperty("refs/tags/sop-0001/v1");
      await mirrors.close();
      host.answer = null;
    });
  },
  { env },
);
