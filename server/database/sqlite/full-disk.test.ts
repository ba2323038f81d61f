/** A server that starts on a disk without a free byte: it reads, and writes again as soon as there is space. */
import { expect, test, vi } from "vitest";
import { exchange } from "../../../test/http.ts";
import { mountSmallDisk } from "../../../test/full-disk.ts";
import { startProcess } from "../../../test/server-process.ts";

const probe = mountSmallDisk(1);
probe?.unmount();

const admin = { ADMIN_USERNAME: "root", ADMIN_PASSWORD: "a long walk to the river" };

test.skipIf(probe === null)(
  `a full disk${probe ? "" : " (SKIPPED: this process may not mount)"}: a restart serves and searches, and recovers by itself`,
  { timeout: 120_000 },
  async () => {
    const disk = mountSmallDisk(24);
    if (!disk) return;
    const env = { ...admin, DATA_DIR: `${disk.dir}/data`, LOG_LEVEL: "silent" };
    const signIn = async (url: string) => {
      const body = JSON.stringify({ username: "root", password: admin.ADMIN_PASSWORD });
      const headers = { "content-type": "application/json", origin: url };
      const answer = await exchange(url, { method: "POST", path: "/api/auth/login", headers, body });
      return { status: answer.status, cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "" };
    };
    const save = (url: string, cookie: string) => {
      const headers = { "content-type": "application/json", origin: url, cookie };
      const body = JSON.stringify({ title: "Valve", description: "D", markdown: "Open it." });
      return exchange(url, { method: "POST", path: "/api/sops", headers, body });
    };
    const found = async (url: string, cookie: string) => {
      const answer = await exchange(url, { path: "/api/search?q=valve", headers: { cookie } });
      return [answer.status, (answer.json() as { data?: unknown[] }).data?.length];
    };
    try {
      const first = await startProcess(env);
      const { cookie } = await signIn(first.url);
      expect((await save(first.url, cookie)).status).toBe(201);
      expect(await found(first.url, cookie)).toEqual([200, 1]);
      disk.fill();
      expect(await found(first.url, cookie)).toEqual([200, 1]);
      expect((await signIn(first.url)).status).toBe(200);
      await first.stop("SIGTERM");
      disk.fill();

      const second = await startProcess(env);
      try {
        const again = await signIn(second.url);
        expect(again.status).toBe(200);
        expect(await found(second.url, again.cookie)).toEqual([200, 1]);
        expect((await save(second.url, again.cookie)).status).toBe(507);
        disk.free();
        await vi.waitFor(async () => expect((await save(second.url, again.cookie)).status).toBe(201), {
          timeout: 20_000,
          interval: 300,
        });
      } finally {
        await second.stop("SIGTERM");
      }
    } finally {
      disk.unmount();
    }
  },
);
