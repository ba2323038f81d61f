/** `sop serve`: the preview in its own process, tested over HTTP. */
import { request } from "node:http";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeFolder, runSop, type Folder, type CliRun } from "./run-sop.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
let folder: Folder;
let outside: Folder;
let ended: Promise<CliRun>;
let stop: (signal: NodeJS.Signals) => void;
let url: string;
let cookie: string;

beforeAll(async () => {
  outside = makeFolder({ "secret.md": "Secret.\n", "secret.png": png });
  folder = makeFolder({
    "sop.config.yaml": "preset: minimal\n",
    "sops/it/tea.md": `---\ntitle: "Tea <b>"\n---\n\n## Steps\n\n![cup](img/cup.png) ![out](img/out.png) ![up](../../../x.png) [coffee](coffee.md#beans) <script>alert(1)</script>\n\nTODO\n`,
    "sops/it/coffee.md": "# Coffee\n",
    "sops/it/img/cup.png": png,
    ".sop/secret.md": "Secret.\n",
    "private.md": "Secret.\n",
  });
  symlinkSync(join(outside.path, "secret.md"), join(folder.path, "sops/it/link.md"));
  symlinkSync(join(outside.path, "secret.png"), join(folder.path, "sops/it/img/out.png"));
  url = await new Promise<string>((found, reject) => {
    ended = runSop(["serve", "--port", "0"], {
      cwd: folder.path,
      started: (kill, stdout) => {
        stop = kill;
        stdout.on("data", (text: string) => {
          const address = /^Preview at (\S+)$/m.exec(text)?.[1];
          if (address !== undefined) found(address);
        });
      },
    });
    ended.then(({ stderr }) => reject(new Error(stderr)), reject);
  });
  cookie = (await fetch(url)).headers.get("set-cookie") ?? "";
}, 60_000);
afterAll(() => {
  stop("SIGKILL");
  folder.remove();
  outside.remove();
});

interface Got {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/** Keeps the path as written: `fetch` would normalize it. */
function get(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Got> {
  const { hostname, port } = new URL(url);
  return new Promise((done, reject) => {
    request({ hostname, port, path, headers: { cookie, ...headers }, method }, (answer) => {
      let body = "";
      answer.setEncoding("utf8").on("data", (text: string) => (body += text));
      answer.on("end", () => done({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
    })
      .on("error", reject)
      .end();
  });
}

test("the list and a document, rendered and sanitised, under a strict policy", async () => {
  const list = await get("/");
  expect(list.body).toContain('<a href="/doc/sops/it/tea.md">');
  expect(list.body).toContain("Tea &#60;b&#62;");
  expect(list.body).not.toContain("link.md");
  expect(list.body).not.toContain("private");
  const page = await get("/doc/sops/it/tea.md");
  expect(page.status).toBe(200);
  expect(page.headers["content-security-policy"]).toBe(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(page.headers).toMatchObject({ "x-content-type-options": "nosniff", "cache-control": "no-store" });
  expect(page.body).not.toContain("alert(1)");
  expect(page.body.match(/<script/g)).toHaveLength(1);
  expect(page.body).toContain('href="/doc/sops/it/coffee.md#beans"');
  expect(page.body).toContain("Replace the placeholder TODO");
  const images = [...page.body.matchAll(/<img src="([^"]+)"/g)].map(([, src]) => src ?? "");
  expect(images).toHaveLength(1);
  expect(await get(images[0] ?? "")).toMatchObject({
    status: 200,
    headers: { "content-type": "image/png", "content-length": String(png.length) },
  });
  for (const name of ["document.css", "preview.css", "preview.js"])
    expect((await get(`/static/${name}`)).status).toBe(200);
});

test("serves no other file, and no other host", async () => {
  const hash = "0".repeat(64);
  for (const path of [
    "/doc/private.md",
    "/doc/../private.md",
    "/doc/sops/it/link.md",
    "/doc/sops/it/../../private.md",
    "/doc/%2e%2e/%2e%2e/etc/passwd",
    "/doc/.sop/secret.md",
    "/doc/%00",
    "/doc/%zz",
    "/static/../sop.config.yaml",
    "/static/constructor",
    `/api/assets/${hash}.png`,
    `/api/assets/..%2f..%2f${hash}.png`,
    "/sops/it/tea.md",
    "/../../etc/passwd",
  ]) {
    const got = await get(path);
    expect([path, got.status]).toEqual([path, 404]);
    expect(got.body).not.toContain("Secret");
  }
  expect((await get("/", { host: "evil.example" })).status).toBe(421);
  expect((await get("/events", { host: "evil.example:80" })).status).toBe(421);
  expect((await get("/", { "sec-fetch-site": "cross-site" })).status).toBe(421);
  expect((await get("/", {}, "POST")).status).toBe(405);
});

test("shows nothing without the key of its address, which a browser keeps as a cookie of this port", async () => {
  const { port, searchParams } = new URL(url);
  const key = searchParams.get("key") ?? "";
  expect(key).toMatch(/^[\w-]{32}$/);
  expect(cookie).toBe(`sop-preview-${port}=${key}; Path=/; HttpOnly; SameSite=Strict`);
  const wrong = ["", `sop-preview-${port}=`, `sop-preview-${port}=${key}x`, `sop-preview-1=${key}`, `x=${key}`, key];
  const paths = [
    "/",
    "/doc/sops/it/tea.md",
    "/doc/none.md",
    "/static/preview.js",
    "/events",
    "/favicon.ico",
    "/?key=",
    "/?key=x",
  ];
  for (const path of paths)
    for (const other of wrong) {
      const { status, body, headers } = await get(path, { cookie: other });
      expect([path, other, status, headers["set-cookie"]]).toEqual([path, other, 401, undefined]);
      expect(body).not.toMatch(/Tea|coffee/);
    }
  const door = await get(`//evil.example/"x?key=${key}`, { cookie: "", "sec-fetch-site": "cross-site" });
  expect(door.body).toBe(`<!doctype html><meta http-equiv="refresh" content="0;url=/evil.example/&#34;x">`);
  expect((await get(`/?key=${key}`, { cookie: "", host: "evil.example" })).status).toBe(421);
});

test("sends a change on disk to open pages", async () => {
  const stream = await fetch(new URL("/events", url), { headers: { cookie } });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let told = "";
  const until = async (says: string) => {
    while (!told.includes(says)) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) throw new Error(`the stream ended after: ${told}`);
      told += value;
    }
  };
  await until(": open");
  folder.write({ "sops/it/tea.md": "---\ntitle: Mint\n---\n\nMint.\n" });
  await until("event: change");
  expect((await get("/doc/sops/it/tea.md")).body).toContain("Mint.");
  await reader?.cancel();
});

test("a port in use is 2 and names a free one; outside a workspace, a broken config and a port too high are 2", async () => {
  const { port } = new URL(url);
  const taken = await runSop(["serve", "--port", port], { cwd: folder.path });
  expect(taken).toMatchObject({ code: 2, stdout: "" });
  expect(taken.stderr).toMatch(/port \d+ is in use\n {2}\d+ is free: sop serve --port \d+\n/);
  expect((await runSop(["serve", "--port", "0"], { cwd: outside.path })).code).toBe(2);
  expect((await runSop(["serve", "--port", "99999"], { cwd: folder.path })).code).toBe(2);
  outside.write({ "sop.config.yaml": "preset: nope\n" });
  expect((await runSop(["serve", "--port", "0"], { cwd: outside.path })).code).toBe(2);
});

test("^C ends it with 130", async () => {
  stop("SIGINT");
  expect(await ended).toMatchObject({ code: 130 });
});
