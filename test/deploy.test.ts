/**
 * The files of `deploy/`. An image takes minutes, so the steps of the Dockerfile run one by one in a clean folder. The
 * server that they install then runs without rights to its own files. `deploy-image.test.ts` builds the image.
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { Environment, readConfig } from "../server/config.ts";
import { npmEnv, packedFile } from "./cli/npm.ts";
import { compose, deploy, done, read, skipWithout } from "./deploy-files.ts";
import { exchange } from "./http.ts";
import { node } from "./node-program.ts";

const rootless = 1000;

interface Step {
  name: string;
  text: string;
}

/** Of each stage: its instructions, one a line. */
function stagesOf(dockerfile: string): Step[][] {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n");
  const steps = lines
    .filter((line) => line.trim() !== "")
    .map((line) => ({ name: line.split(" ", 1)[0] ?? "", text: line.slice(line.indexOf(" ") + 1).trim() }));
  const starts = steps.flatMap(({ name }, at) => (name === "FROM" ? [at] : []));
  return starts.map((at, n) => steps.slice(at, starts[n + 1]));
}

const pairs = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(" ").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );

const stages = stagesOf(read("Dockerfile"));
const last = stages.at(-1) ?? [];
const only = (name: string) => {
  const found = last.filter((step) => step.name === name);
  expect([name, found.length]).toEqual([name, 1]);
  return found[0]?.text ?? "";
};

describe("the Dockerfile", { timeout: 300_000 }, () => {
  let folder: string;
  let server: ChildProcess | undefined;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "sopwright-image-"));
    chmodSync(folder, 0o755);
  });
  afterAll(() => {
    server?.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs the steps of a stage that make files. @returns its folder */
  function make(stage: Step[], context: string, made: ReadonlyMap<string, string>): { name: string; root: string } {
    const name = /^\S+ AS (\w+)$/.exec(stage[0]?.text ?? "")?.[1] ?? "";
    const root = path.join(folder, name);
    let cwd = root;
    for (const { name: step, text } of stage) {
      if (step === "WORKDIR") mkdirSync((cwd = path.join(root, text)), { recursive: true });
      if (step === "COPY") {
        const [, from, source = "", target = ""] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(text) ?? [];
        const place = from === undefined ? context : (made.get(from) ?? "");
        const found = globSync(path.join(place, source));
        expect([text, found.length]).toEqual([text, 1]);
        for (const file of found) {
          const into = statSync(file).isDirectory()
            ? path.join(cwd, target)
            : path.join(cwd, target, path.basename(file));
          cpSync(file, into, { recursive: true, verbatimSymlinks: true });
        }
      }
      if (step === "RUN") {
        // in a clean folder, and not in a container: only paths below it
        const below = text.replaceAll(/(?<=\s)\/(?=\w)/g, `${root}/`);
        const ran = spawnSync("sh", ["-ec", below], { cwd, encoding: "utf8", env: npmEnv(folder) });
        expect([text, ran.status, ran.stderr]).toEqual([text, 0, ""]);
      }
    }
    return { name, root };
  }

  test("has steps that end in a server without rights to its files", async () => {
    const context = path.join(folder, "context");
    mkdirSync(context);
    cpSync(packedFile("sopwright-server"), path.join(context, path.basename(packedFile("sopwright-server"))));
    const made = new Map<string, string>();
    let root = "";
    for (const stage of stages) {
      const { name, root: of } = make(stage, context, made);
      made.set(name, (root = of));
    }
    const env = pairs(only("ENV"));
    const data = only("VOLUME");
    expect([env["DATA_DIR"], only("USER"), only("EXPOSE")]).toEqual([data, `${rootless}:${rootless}`, env["PORT"]]);
    const asUser = process.getuid?.() === 0 ? { uid: rootless, gid: rootless } : {};
    if (!("uid" in asUser)) spawnSync("chmod", ["-R", "a-w", path.join(root, "app")]);
    expect([statSync(path.join(root, data)).uid, statSync(path.join(root, data)).mode & 0o777]).toEqual([
      rootless,
      0o700,
    ]);

    const [program = "", ...args] = JSON.parse(only("ENTRYPOINT")) as string[];
    expect(program).toBe("node");
    // a copy, because the user can't enter the folder of this project
    const own = path.join(folder, "node");
    copyFileSync(realpathSync(node), own);
    server = spawn(own, args, {
      cwd: path.join(root, only("WORKDIR")),
      env: { ...env, DATA_DIR: path.join(root, data), PORT: "0", ALLOW_INSECURE: "1", DRAIN_SECONDS: "0" },
      stdio: ["ignore", "pipe", "pipe"],
      ...asUser,
    });
    let output = "";
    const url = await new Promise<string>((resolve, reject) => {
      const listen = (chunk: Buffer) => {
        output += chunk.toString();
        const [, port] = /^listening on http:\S+:(\d+)$/m.exec(output) ?? [];
        if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
      };
      server?.stdout?.on("data", listen);
      server?.stderr?.on("data", listen);
      server?.once("exit", () => reject(new Error(output)));
    });
    for (const at of ["/", "/healthz", "/readyz"])
      expect([at, (await exchange(url, { path: at })).status]).toEqual([at, 200]);
    const ended = new Promise((resolve) => server?.once("exit", resolve));
    server.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(/"level":[4-6]0/.exec(output)).toBeNull();
  });

  test("makes the folder of its volume before the volume", () => {
    const made = last.findIndex(({ text }) => text.startsWith("install ") && text.split(" ").includes(only("VOLUME")));
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(last.findIndex(({ name }) => name === "VOLUME"));
  });

  test("checks the health of its own port, and finds none on another", async () => {
    const [, text = ""] = /CMD (\[.+\])$/.exec(only("HEALTHCHECK")) ?? [];
    const [, ...args] = JSON.parse(text) as string[];
    const healthy = createServer((request, answer) => answer.writeHead(request.url === "/healthz" ? 200 : 404).end());
    await new Promise<void>((resolve) => healthy.listen(0, "127.0.0.1", resolve));
    const { port } = healthy.address() as AddressInfo;
    const check = (at: number) => once(spawn(node, args, { env: { PORT: String(at) }, stdio: "inherit" }), "exit");
    // nothing listens on port 1
    expect([await check(port), await check(1)]).toEqual([
      [0, null],
      [1, null],
    ]);
    healthy.close();
  });
});

const Service = z.object({
  image: z.string(),
  read_only: z.boolean().optional(),
  volumes: z.array(z.object({ type: z.string(), source: z.string(), target: z.string() })).optional(),
  stop_grace_period: z.string().optional(),
  build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
  environment: z.record(z.string(), z.string()).optional(),
});
const Compose = z.object({
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.unknown()),
});

const given: Record<string, string> = {
  PUBLIC_URL: "https://sops.example.com",
  APP_KEYS: `k1:${Buffer.alloc(32, 1).toString("base64")}`,
};

/** The file as Docker Compose reads it, with its values filled in. */
function readCompose(file: string, values: Record<string, string>): z.output<typeof Compose> {
  const program = path.join(compose.bin, "docker-compose");
  const args = ["-f", path.resolve(deploy(), file), "config", "--format", "json"];
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", env: { HOME: "/", ...values } });
  if (status !== 0) throw new Error(stderr);
  return Compose.parse(JSON.parse(stdout));
}

beforeAll(() => compose.install(), 300_000);

describe.each([
  ["compose.yaml", 1, {}],
  ["compose.mongodb.yaml", 2, given],
])("%s", (file, count, values) => {
  test("starts servers with settings that hold, two volumes and time to stop", () => {
    const { services, volumes } = readCompose(file, values);
    const servers = Object.values(services).filter(({ image }) => image === "sopwright");
    expect(servers).toHaveLength(count);
    for (const server of servers) {
      const context = server.build?.context ?? "";
      expect(path.resolve(context, server.build?.dockerfile ?? "")).toBe(deploy("Dockerfile"));
      expect(context).toBe(path.dirname(packedFile("sopwright-server")));
      expect(server.read_only).toBe(true);
      const env = { ...pairs(only("ENV")), ...server.environment };
      expect(Object.keys(env).filter((name) => !(name in Environment.shape))).toEqual([]);
      const { drainSeconds, dataDir, backup } = readConfig(env);
      expect(server.volumes?.map(({ target }) => target)).toEqual([dataDir, backup.dir]);
      expect(Number.parseInt(server.stop_grace_period ?? "", 10)).toBeGreaterThanOrEqual(drainSeconds + 30);
    }
    // of several servers, one makes each backup
    expect(new Set(servers.map((server) => server.volumes?.[1]?.source))).toEqual(new Set(["backups"]));
    const used = Object.values(services).flatMap((one) => one.volumes ?? []);
    expect(new Set(used.flatMap(({ type, source }) => (type === "volume" ? [source] : [])))).toEqual(
      new Set(Object.keys(volumes)),
    );
    for (const { type, source } of used) if (type === "bind") expect(statSync(source).isFile()).toBe(true);
    done(file, "checked", "docker-compose");
  });
});

test.each([
  ["compose.yaml", {}],
  ["compose.mongodb.yaml", given],
])("%s gives the server each setting of .env, and none of the shell by chance", (file, values) => {
  const folder = mkdtempSync(path.join(tmpdir(), "sopwright-compose-"));
  const settings = {
    METRICS_TOKEN: "0123456789abcdef",
    REGISTRATION: "invite",
    TRUSTED_NETWORKS: "10.20.0.0/16",
    SMTP_URL: "smtp://mail.example.org",
    BACKUP_PASSPHRASE_FILE: "/run/secrets/backup",
  };
  for (const name of [file, "haproxy.cfg"]) copyFileSync(deploy(name), path.join(folder, name));
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(path.join(folder, ".env"), lines.join(""));
  const shell = { BACKUP_PASSPHRASE: "copper lantern drifts sideways", METRICS_TOKEN: "of-the-shell-0123456789" };
  const { services } = readCompose(path.join(folder, file), { ...values, ...shell });
  rmSync(folder, { recursive: true });
  const servers = Object.values(services).filter(({ image }) => image === "sopwright");
  for (const { environment } of servers) {
    expect(environment).toMatchObject(settings);
    expect(environment).not.toHaveProperty("BACKUP_PASSPHRASE");
  }
});

test("compose.mongodb.yaml names what it misses", () => {
  for (const missing of Object.keys(given)) {
    const others = Object.fromEntries(Object.entries(given).filter(([name]) => name !== missing));
    expect(() => readCompose("compose.mongodb.yaml", others)).toThrow(`set ${missing}=`);
  }
});

test("the README says of each file what our tests do with it", () => {
  const files = readdirSync(deploy()).filter((name) => name !== "README.md");
  const rows = read("README.md").match(/^\| `.*$/gm) ?? [];
  const tried = (name: string) =>
    rows
      .find((row) => new RegExp(`^\\|[^|]*\`${name}[\`/]`).test(row))
      ?.split("|")[3]
      ?.trim() ?? "";
  for (const name of files) expect([name, tried(name).length > 10]).toEqual([name, true]);
});

test("both balancers know each server of the compose file, and keep a caller on one", () => {
  const { services } = readCompose("compose.mongodb.yaml", given);
  const names = Object.keys(services).filter((name) => services[name]?.image === "sopwright");
  const haproxy = read("haproxy.cfg");
  for (const backend of haproxy.split(/^backend /m).slice(1)) {
    const servers = [...backend.matchAll(/^ *server \S+ (\S+):3000(.*)$/gm)];
    const isBackup = ([, , options = ""]: RegExpExecArray) => /\bbackup\b/.test(options);
    for (const part of [servers.filter(isBackup), servers.filter((one) => !isBackup(one))])
      expect(part.map(([, name]) => name)).toEqual(names);
    expect(backend).toMatch(/^ *balance hash .*\n *hash-type consistent$/m);
  }
  const envoy = JSON.stringify(parse(read("envoy.yaml")));
  const ends = [...envoy.matchAll(/"address":"([\w-]+)","port_value":3000/g)].map(([, name]) => name);
  expect(ends).toEqual(names);
  expect(envoy).toContain('"lb_policy":"RING_HASH"');
  const [routes, hashed] = [/"cluster":"sopwright"/g, /"hash_policy":\[\{/g].map((found) => envoy.match(found)?.length);
  expect([routes, hashed]).toEqual([4, 4]);
});

describe("the systemd unit", () => {
  const unit = read("sopwright.service");
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "";

  test("starts the program of the package, with settings that hold", () => {
    const [, , program = ""] = value("ExecStart").split(" ");
    expect(program).toMatch(/^\/opt\/sopwright\/node_modules\/sopwright-server\/dist\/server\/sopwright-server\.js$/);
    const env = pairs(value("Environment"));
    expect(Object.keys(env).filter((name) => !(name in Environment.shape))).toEqual([]);
    const { drainSeconds, dataDir, backup } = readConfig(env);
    expect([dataDir, backup.dir]).toEqual(
      value("StateDirectory")
        .split(" ")
        .map((name) => `/var/lib/${name}`),
    );
    expect(Number(value("TimeoutStopSec"))).toBeGreaterThanOrEqual(drainSeconds + 30);
  });

  test("systemd finds no fault", (context) => {
    skipWithout(context, "systemd-analyze", "systemd");
    const ran = spawnSync("systemd-analyze", ["verify", deploy("sopwright.service")], { encoding: "utf8" });
    expect([ran.status, ran.stderr]).toEqual([0, ""]);
    done("sopwright.service", "checked", "systemd-analyze");
  });
});
