/**
 * The files of `deploy/`. No image can be built here, so the steps of the Dockerfile run one by one in a clean folder. The
 * server that they install then runs without rights to its own files.
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { Environment, readConfig } from "../server/config.ts";
import { npmEnv, packedFile } from "./cli/npm.ts";
import { freePort } from "./free-port.ts";
import { exchange } from "./http.ts";
import { node, project } from "./node-program.ts";

const deploy = (...names: string[]) => path.join(project, "deploy", ...names);
const read = (...names: string[]) => readFileSync(deploy(...names), "utf8");
const have = (program: string) => spawnSync("which", [program]).status === 0;
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
    const made = last.findIndex(({ text }) => text.startsWith("install ") && text.endsWith(only("VOLUME")));
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(last.findIndex(({ name }) => name === "VOLUME"));
  });

  test("checks the health of its own port", () => {
    const [, text = ""] = /CMD (\[.+\])$/.exec(only("HEALTHCHECK")) ?? [];
    const [, , script = ""] = JSON.parse(text) as string[];
    expect(script).toContain(`127.0.0.1:${pairs(only("ENV"))["PORT"]}/healthz`);
    // nothing listens on port 1
    const ran = spawnSync(node, ["-e", script.replace(/:\d+\/healthz/, ":1/healthz")]);
    expect([ran.status, ran.stderr.toString()]).toEqual([1, ""]);
  });
});

const Service = z.object({
  image: z.string(),
  read_only: z.boolean().optional(),
  volumes: z.array(z.string()).optional(),
  networks: z.array(z.string()).optional(),
  depends_on: z.union([z.array(z.string()), z.record(z.string(), z.object({ condition: z.string() }))]).optional(),
  stop_grace_period: z.string().optional(),
  build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
  environment: z.record(z.string(), z.string()).optional(),
});
const Compose = z.object({
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.null()),
  networks: z.record(z.string(), z.unknown()).optional(),
});

const given: Record<string, string> = {
  PUBLIC_URL: "https://sops.example.com",
  APP_KEYS: `k1:${Buffer.alloc(32, 1).toString("base64")}`,
};

/** `${NAME:-default}` and `${NAME:?problem}`, as compose fills them. */
function filled(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind: string, other: string) => {
    if (values[name] === undefined && kind === "?") throw new Error(`${name}: ${other}`);
    return values[name] ?? other;
  });
}

describe.each([
  ["compose.yaml", 1, {}],
  ["compose.mongodb.yaml", 2, given],
])("%s", (file, count, values) => {
  const { services, volumes, networks = {} } = Compose.parse(parse(read(file), { merge: true }));
  const servers = Object.values(services).filter(({ image }) => image === "sopwright");

  test("names volumes, networks, services and files that exist", () => {
    for (const [name, one] of Object.entries(services)) {
      for (const volume of one.volumes ?? []) {
        const [source = ""] = volume.split(":");
        const exists = source.startsWith("./") ? statSync(deploy(source)).isFile() : source in volumes;
        expect([name, volume, exists]).toEqual([name, volume, true]);
      }
      for (const network of one.networks ?? []) expect(networks).toHaveProperty(network);
      const before = one.depends_on ?? [];
      for (const other of Array.isArray(before) ? before : Object.keys(before)) expect(services).toHaveProperty(other);
    }
    const used = Object.values(services).flatMap((one) => (one.volumes ?? []).map((volume) => volume.split(":")[0]));
    expect(Object.keys(volumes).filter((name) => !used.includes(name))).toEqual([]);
  });

  test("starts servers with settings that hold, one volume and time to stop", () => {
    expect(servers).toHaveLength(count);
    for (const server of servers) {
      const context = deploy(server.build?.context ?? "");
      expect(path.resolve(context, server.build?.dockerfile ?? "")).toBe(deploy("Dockerfile"));
      expect(context).toBe(path.dirname(packedFile("sopwright-server")));
      expect([server.read_only, server.volumes?.length]).toEqual([true, 1]);
      const own = Object.entries(server.environment ?? {}).map(([name, value]) => [name, filled(value, values)]);
      const env = { ...pairs(only("ENV")), ...(Object.fromEntries(own) as Record<string, string>) };
      expect(Object.keys(env).filter((name) => !(name in Environment.shape))).toEqual([]);
      const { drainSeconds } = readConfig(env);
      expect(Number.parseInt(server.stop_grace_period ?? "", 10)).toBeGreaterThanOrEqual(drainSeconds + 30);
    }
  });
});

test("both balancers know each server of the compose file, and keep a caller on one", () => {
  const { services } = Compose.parse(parse(read("compose.mongodb.yaml"), { merge: true }));
  const names = Object.keys(services).filter((name) => services[name]?.image === "sopwright");
  const haproxy = read("haproxy.cfg");
  for (const backend of haproxy.split(/^backend /m).slice(1)) {
    expect([...backend.matchAll(/^ *server \S+ (\S+):3000/gm)].map(([, name]) => name)).toEqual(names);
    expect(backend).toMatch(/^ *balance hash .*\n *hash-type consistent$/m);
  }
  const envoy = JSON.stringify(parse(read("envoy.yaml")));
  const ends = [...envoy.matchAll(/"address":"([\w-]+)","port_value":3000/g)].map(([, name]) => name);
  expect(ends).toEqual(names);
  expect(envoy).toContain('"lb_policy":"RING_HASH"');
  const [routes, hashed] = [/"cluster":"sopwright"/g, /"cluster":"sopwright","timeout":"0s","hash_policy":\[\{/g].map(
    (found) => envoy.match(found)?.length,
  );
  expect([routes, hashed]).toEqual([2, 2]);
});

test.skipIf(!have("nginx"))("nginx ends TLS: large bodies and streams pass", { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "sopwright-nginx-"));
  const key = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=x", "-keyout", "k.pem", "-out", "c.pem"];
  expect(spawnSync("openssl", key, { cwd: folder }).status).toBe(0);
  // counts a body, and sends one event without an end
  const behind = createServer((request, answer) => {
    if (request.url === "/api/events") return void answer.write("data: 1\n\n");
    let bytes = 0;
    request.on("data", (chunk: Buffer) => (bytes += chunk.length));
    request.on("end", () => answer.end(`${bytes} ${request.headers["x-forwarded-proto"]} ${request.headers.host}`));
  });
  await new Promise<void>((resolve) => behind.listen(0, "127.0.0.1", resolve));
  const [tls, plain] = [await freePort(), await freePort()];
  const site = read("nginx.conf")
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${folder}/c.pem;`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${folder}/k.pem;`)
    .replace("listen 443 ", `listen 127.0.0.1:${tls} `)
    .replace("listen 80;", `listen 127.0.0.1:${plain};`)
    .replaceAll("127.0.0.1:3000", `127.0.0.1:${(behind.address() as AddressInfo).port}`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder};`);
  const config = `daemon off; pid ${folder}/pid; error_log stderr;\nevents {}\nhttp {\naccess_log off; ${temporary.join(" ")}\n${site}}\n`;
  writeFileSync(path.join(folder, "nginx.conf"), config);
  const nginx = spawn("nginx", ["-e", "stderr", "-c", path.join(folder, "nginx.conf")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  nginx.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const send = (address: string, body = "") =>
    new Promise<string>((resolve, reject) => {
      const asked = request(
        {
          host: "127.0.0.1",
          port: tls,
          path: address,
          method: body === "" ? "GET" : "POST",
          rejectUnauthorized: false,
        },
        (answer) => answer.once("data", (chunk: Buffer) => resolve(`${answer.statusCode} ${chunk.toString()}`)),
      );
      asked.on("error", reject);
      asked.end(body);
    });
  try {
    await expect.poll(() => send("/").catch(String), { timeout: 20_000 }).toMatch(/^200 0 https 127/);
    expect(await send("/api/import", "x".repeat(70_000_000))).toMatch(/^200 70000000 https /);
    expect(await send("/api/events")).toBe("200 data: 1\n\n");
    expect(said).toBe("");
  } finally {
    nginx.kill("SIGTERM");
    behind.closeAllConnections();
    behind.close();
    rmSync(folder, { recursive: true });
  }
});

describe("the systemd unit", () => {
  const unit = read("sopwright.service");
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "";

  test("starts the program of the package, with settings that hold", () => {
    const [, , program = ""] = value("ExecStart").split(" ");
    expect(program).toMatch(/^\/opt\/sopwright\/node_modules\/sopwright-server\/dist\/server\/sopwright-server\.js$/);
    const env = pairs(value("Environment"));
    expect(Object.keys(env).filter((name) => !(name in Environment.shape))).toEqual([]);
    const { drainSeconds, dataDir } = readConfig(env);
    expect(dataDir).toBe(`/var/lib/${value("StateDirectory")}`);
    expect(Number(value("TimeoutStopSec"))).toBeGreaterThanOrEqual(drainSeconds + 30);
  });

  test.skipIf(!have("systemd-analyze"))("systemd finds no fault", () => {
    const ran = spawnSync("systemd-analyze", ["verify", deploy("sopwright.service")], { encoding: "utf8" });
    expect([ran.status, ran.stderr]).toEqual([0, ""]);
  });
});

describe("the Helm chart", () => {
  const values = parse(read("helm/sopwright/values.yaml")) as Record<string, unknown>;
  const templates = globSync("*.yaml", { cwd: deploy("helm/sopwright/templates") });
  const valueAt = (name: string) =>
    name.split(".").reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], values);

  test.each(templates)("%s uses values that exist, and balances its blocks", (name) => {
    const text = read("helm/sopwright/templates", name);
    for (const [, used = ""] of text.matchAll(/\.Values\.([\w.]+)/g))
      expect([used, valueAt(used)]).not.toContain(undefined);
    const opened = [...text.matchAll(/\{\{-? *(?:if|range|with)\b/g)].length;
    expect([...text.matchAll(/\{\{-? *end *-?\}\}/g)]).toHaveLength(opened);
    // a formatter that takes an action for a map breaks it
    expect(text).not.toMatch(/\{ \{|\} \}/);
    // what is left without actions is YAML
    const plain = text.replaceAll(/^\s*\{\{.*\}\}\n/gm, "").replaceAll(/\{\{.*?\}\}/g, "x");
    expect(parseAllDocuments(plain).flatMap((one) => ("errors" in one ? one.errors : []))).toEqual([]);
  });

  test("has settings that hold", () => {
    const settings = values["settings"] as Record<string, string>;
    expect(Object.keys(settings).filter((name) => !(name in Environment.shape))).toEqual([]);
    expect(readConfig({ ...pairs(only("ENV")), ...settings, ...given }).trustedProxies).toBe(1);
  });

  test.skipIf(!have("helm"))("renders, and refuses several servers without their secret", () => {
    const render = (...args: string[]) =>
      spawnSync("helm", ["template", "sops", deploy("helm/sopwright"), ...args], { encoding: "utf8" });
    const url = ["--set", "publicUrl=https://sops.example.com"];
    const ran = render(...url, "--set", "secret=keys", "--set", "replicas=2", "--set", "ingress.tlsSecret=tls");
    expect([ran.status, ran.stderr]).toEqual([0, ""]);
    const made = parseAllDocuments(ran.stdout).map((one) => (one as { toJS(): { kind: string } }).toJS());
    expect(made.map(({ kind }) => kind).sort()).toEqual(["Ingress", "Service", "StatefulSet"]);
    expect(ran.stdout).toContain('host: "sops.example.com"');
    expect(render(...url, "--set", "replicas=2").stderr).toContain("MONGODB_URI");
    expect(render().stderr).toContain("publicUrl is missing");
  });
});
