/** A data folder that belongs to one user, and a program that another one starts. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, lstatSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { node, nodeEnv, project } from "../../test/node-program.ts";
import { startProcess, type ServerProcess } from "../../test/server-process.ts";

const user = 65_534;
const admin = { ADMIN_USERNAME: "root", ADMIN_PASSWORD: "a long walk to the river" };
let root = "";
let dir = "";
const env = () => ({ ...admin, DATA_DIR: dir, LOG_LEVEL: "warn" });

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), "sopwright-owner-"));
  chmodSync(root, 0o755);
  dir = path.join(root, "data");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function use(server: ServerProcess) {
  const send = (at: string, body?: object, cookie = "") =>
    fetch(server.url + at, {
      headers: { origin: server.url, cookie, "content-type": "application/json" },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
  const signedIn = await send("/api/auth/login", { username: "root", password: admin.ADMIN_PASSWORD });
  const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const save = async (title: string) =>
    (await send("/api/sops", { title, description: "D", markdown: "Open it." }, cookie)).status;
  const search = async (words: string) => {
    const answer = await send(`/api/search?q=${words}`, undefined, cookie);
    return [answer.status, ((await answer.json()) as { data?: unknown[] }).data?.length ?? 0];
  };
  const warnings = async () => ((await (await send("/readyz")).json()) as { warnings?: string[] }).warnings ?? [];
  const repository = async () => {
    const answer = await send("/api/repository", undefined, cookie);
    return [answer.status, ((await answer.json()) as { code?: string }).code];
  };
  return { save, search, warnings, repository };
}

const task = (...args: string[]) =>
  spawnSync(node, ["server/admin/main.ts", ...args], {
    cwd: project,
    env: { ...nodeEnv, ...env() },
    uid: user,
    gid: user,
    encoding: "utf8",
  });
const ofRoot = () => execFileSync("find", [dir, "-user", "0"], { encoding: "utf8" }).trim();
const give = (entry: string, to: number) => execFileSync("chown", ["-R", `${to}:${to}`, path.join(dir, entry)]);

describe.skipIf(process.getuid?.() !== 0)("a data folder of another user", () => {
  test("a server that root starts runs as its owner, and says so", async () => {
    const first = await startProcess(env());
    await first.stop("SIGTERM");
    give(".", user);
    const server = await startProcess(env());
    const { save, search, warnings } = await use(server);
    expect(await save("Valve")).toBe(201);
    await expect.poll(() => search("valve")).toEqual([200, 1]);
    expect(server.output()).toContain(`warning: started as root, runs as user ${user}, who owns DATA_DIR`);
    expect(await warnings()).toEqual([]);
    expect(await server.stop("SIGTERM")).toBe(0);
    expect(ofRoot()).toBe("");
  });

  test("what belongs to root is named at once, search answers without its folder, until it is given back", async () => {
    for (const entry of ["search", "repositories"]) give(entry, 0);
    const server = await startProcess(env(), "server/main.ts", { uid: user });
    const { save, search, warnings, repository } = await use(server);
    const warning = `part of DATA_DIR belongs to root: as root, run chown -R ${user}:${user}`;
    expect(await warnings()).toEqual([
      `${warning} on it`,
      "this user can't use the folder repositories of DATA_DIR",
      "this user can't use the folder search of DATA_DIR",
    ]);
    expect(await repository()).toEqual([503, "busy"]);
    // the log is written once a second
    await expect.poll(() => server.output(), { timeout: 10_000 }).toContain(`${warning} ${dir}`);
    expect(server.output()).toContain(`"entries":["repositories","search"]`);
    expect(await search("valve")).toEqual([200, 1]);
    expect(await save("Valve of the boiler")).toBe(201);
    expect(await search("valve")).toEqual([200, 2]);
    const verified = task("verify");
    expect([verified.status, verified.stdout]).toEqual([5, expect.stringMatching(/^repositories +NOT CHECKED$/m)]);
    expect(verified.stdout).toContain(`${dir}/repositories`);
    expect(verified.stdout).toContain("permission denied: give DATA_DIR to the server's user (chown -R)");
    for (const entry of ["search", "repositories"]) give(entry, user);
    await expect.poll(warnings).toEqual([]);
    expect(await server.stop("SIGTERM")).toBe(0);
    expect(task("verify").status).toBe(0);
  });

  test("a file in the place of the search folder is named, and search answers", async () => {
    const folder = path.join(dir, "search");
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "");
    chownSync(folder, user, user);
    const places = { WITNESS_FILE: path.join(dir, "none/heads") };
    const server = await startProcess({ ...env(), ...places }, "server/main.ts", { uid: user });
    const { search, warnings } = await use(server);
    expect(await search("valve")).toEqual([200, 2]);
    expect(await warnings()).toEqual([
      "WITNESS_FILE: its folder is missing, or this user can't write there",
      "search of DATA_DIR is a file in the place of a folder: move it away",
    ]);
    rmSync(folder);
    await expect.poll(warnings).toEqual([expect.stringContaining("WITNESS_FILE")]);
    expect(await server.stop("SIGTERM")).toBe(0);
  });

  test("one loose object of root is enough", async () => {
    const [object = ""] = execFileSync("find", [path.join(dir, "repositories"), "-path", "*/objects/??"], {
      encoding: "utf8",
    }).split("\n");
    chownSync(object, 0, 0);
    chmodSync(object, 0o700);
    const server = await startProcess(env(), "server/main.ts", { uid: user });
    const { warnings } = await use(server);
    expect(await warnings()).toEqual([expect.stringContaining("part of DATA_DIR belongs to root")]);
    expect(await server.stop("SIGTERM")).toBe(0);
    const verified = task("verify");
    expect([verified.status, verified.stdout]).toEqual([5, expect.not.stringContaining("DAMAGED")]);
    expect(lstatSync(object).uid).toBe(0);
    chownSync(object, user, user);
  });

  test("root without the right to change its user says how to run a task", () => {
    const bare = ["--bounding-set=-all", "--inh-caps=-all", node, "server/admin/main.ts", "verify"];
    const ran = spawnSync("setpriv", bare, { cwd: project, env: { ...nodeEnv, ...env() }, encoding: "utf8" });
    expect([ran.status, ran.stderr]).toEqual([
      5,
      expect.stringContaining(`without the right to go on as user ${user}, who owns ${dir}. Run it as user ${user}`),
    ]);
  });
});
