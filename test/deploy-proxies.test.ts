/** Each proxy of `deploy/` in front of a server that counts: large bodies, streams and addresses pass. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as plainRequest, type Server } from "node:http";
import { request as tlsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { limits } from "#core/limits.ts";
import { resources, serverLimits } from "../server/capacity/resources.ts";
import { defaultTimeouts } from "../server/http/listener.ts";
import { deadline } from "../server/sops/import/convert-file.ts";
import { done, envoy, read, run, skipWithout, type Program } from "./deploy-files.ts";
import { freePort } from "./free-port.ts";

const mib = 1024 * 1024;
const largest = Math.max(limits.zipPacked, limits.pushPacked);

interface Place {
  folder: string;
  /** Where the proxy listens, and the server behind it. */
  port: number;
  behind: number;
}

interface Proxy {
  file: string;
  program: string;
  /** Without TLS, another proxy is in front. */
  endsTls: boolean;
  start(place: Place): Promise<Program> | Program;
}

const proxies: Proxy[] = [
  {
    file: "nginx.conf",
    program: "nginx",
    endsTls: true,
    async start({ folder, port, behind }) {
      const site = read("nginx.conf")
        .replace(/ssl_certificate \S+;/, `ssl_certificate ${folder}/c.pem;`)
        .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${folder}/k.pem;`)
        .replace("listen 443 ", `listen 127.0.0.1:${port} `)
        .replace("listen 80;", `listen 127.0.0.1:${await freePort()};`)
        .replaceAll("127.0.0.1:3000", `127.0.0.1:${behind}`);
      const own = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder};`);
      const http = `http {\naccess_log off; ${own.join(" ")}\n${site}}\n`;
      const config = path.join(folder, "nginx.conf");
      writeFileSync(config, `daemon off; pid ${folder}/pid; error_log stderr warn;\nevents {}\n${http}`);
      return run("nginx", ["-e", "stderr", "-c", config]);
    },
  },
  {
    file: "Caddyfile",
    program: "caddy",
    endsTls: true,
    start({ folder, port, behind }) {
      // a certificate of its own, and nothing beside its folder
      const global = `{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n`;
      const site = read("Caddyfile")
        .replace("sops.example.com {", `https://localhost:${port} {\n\ttls internal`)
        .replace("127.0.0.1:3000", `127.0.0.1:${behind}`);
      const config = path.join(folder, "Caddyfile");
      writeFileSync(config, global + site);
      const own = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
      return run("caddy", ["run", "--config", config, "--adapter", "caddyfile"], own);
    },
  },
  {
    file: "haproxy.cfg",
    program: "haproxy",
    endsTls: false,
    start({ folder, port, behind }) {
      const shipped = read("haproxy.cfg").replace("bind :8080", `bind 127.0.0.1:${port}`);
      const config = path.join(folder, "haproxy.cfg");
      writeFileSync(config, shipped.replaceAll(/server-\d:3000/g, `127.0.0.1:${behind}`));
      return run("haproxy", ["-f", config]);
    },
  },
  {
    file: "envoy.yaml",
    program: "envoy",
    endsTls: false,
    async start({ folder, port, behind }) {
      await envoy.install();
      const shipped = read("envoy.yaml")
        .replace("address: 0.0.0.0, port_value: 8080", `address: 127.0.0.1, port_value: ${port}`)
        .replaceAll(/address: server-\d, port_value: 3000/g, `address: 127.0.0.1, port_value: ${behind}`);
      const config = path.join(folder, "envoy.yaml");
      writeFileSync(config, shipped);
      const options = ["--disable-hot-restart", "--concurrency", "1", "--log-level", "error"];
      return run(path.join(envoy.bin, "envoy"), ["-c", config, ...options]);
    },
  },
];

interface Seen {
  bytes: number;
  proto: string;
  host: string;
  address: string;
}

describe.each(proxies)("$file in $program", { timeout: 120_000 }, ({ file, program, endsTls, start }) => {
  let folder: string;
  let behind: Server;
  let proxy: Program | undefined;
  let port: number;
  /** Open ones, as the server behind sees them. */
  let streams = 0;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "sopwright-proxy-"));
    const key = [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-subj",
      "/CN=x",
      "-keyout",
      "k.pem",
      "-out",
      "c.pem",
    ];
    expect(spawnSync("openssl", key, { cwd: folder }).status).toBe(0);
    // counts a body, and sends one event without an end
    behind = createServer((request, answer) => {
      if (request.url === "/api/events") {
        streams += 1;
        answer.once("close", () => (streams -= 1));
        answer.writeHead(200, { "content-type": "text/event-stream" });
        return void answer.write("data: 1\n\n");
      }
      const { "x-forwarded-proto": proto, "x-forwarded-for": address, host } = request.headers;
      let bytes = 0;
      request.on("data", (chunk: Buffer) => (bytes += chunk.length));
      request.on("end", () => answer.end(JSON.stringify({ bytes, proto, host, address })));
    });
    await new Promise<void>((resolve) => behind.listen(0, "127.0.0.1", resolve));
    port = await freePort();
  });
  afterAll(async () => {
    await proxy?.stop();
    behind.closeAllConnections();
    behind.close();
    rmSync(folder, { recursive: true });
  });

  /** @param bytes of the body. @returns the first piece of the answer */
  function send(address: string, bytes = 0): Promise<string> {
    const method = bytes === 0 ? "GET" : "POST";
    const from = { "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" };
    const options = { host: "localhost", port, path: address, method, headers: endsTls ? {} : from, family: 4 };
    return new Promise((resolve, reject) => {
      const asked = endsTls ? tlsRequest({ ...options, rejectUnauthorized: false }) : plainRequest(options);
      asked.once("response", (answer) =>
        answer.once("data", (chunk: Buffer) => {
          resolve(chunk.toString());
          asked.destroy();
        }),
      );
      asked.once("error", reject);
      const piece = Buffer.alloc(mib);
      const write = async () => {
        for (let sent = 0; sent < bytes; sent += mib) {
          if (!asked.write(piece)) await new Promise((resume) => asked.once("drain", resume));
        }
        asked.end();
      };
      write().catch(reject);
    });
  }

  test("passes the largest bodies, streams and addresses", async (context) => {
    if (program !== "envoy") skipWithout(context, program, program === "nginx" ? "nginx-light" : program);
    proxy = await start({ folder, port, behind: (behind.address() as AddressInfo).port });
    await expect.poll(() => send("/").catch(String), { timeout: 30_000 }).toContain('"bytes":0');
    const seen = JSON.parse(await send("/api/import", largest + mib)) as Seen;
    expect(seen).toMatchObject({ bytes: largest + mib, proto: "https", host: `localhost:${port}` });
    // Envoy writes another address of this machine for itself
    const [client, ...hops] = seen.address.split(/, ?/);
    expect([client, hops.length]).toEqual(endsTls ? ["127.0.0.1", 0] : ["203.0.113.7", 1]);
    expect(proxy.said()).not.toMatch(/"level":"error"|\[(?:warn|error|crit|alert|emerg)|\b(?:WARNING|ALERT)\b/);
    expect(await send("/api/events")).toBe("data: 1\n\n");
    // a tab that was closed holds no place
    await expect.poll(() => streams, { timeout: 10_000 }).toBe(0);
    done(file, "started", program);
  });
});

/** Waits for a place, for a thread, and for the thread's own deadline: no byte of the answer comes before. */
const longestSilenceMs = resources.imports.waitMs + resources.conversions.waitMs + deadline.wall;

const seconds = (text: string): number[] =>
  [...text.matchAll(/"?(\d+)(s|h|)"?;?$/gm)].map(([, n, unit]) => Number(n) * (unit === "h" ? 3_600 : 1));

test("each proxy waits longer than the slowest answer, and bounds no body", () => {
  const nginx = read("nginx.conf");
  const ingress = read("helm/sopwright/values.yaml");
  const waits = {
    nginx: nginx.match(/^ *proxy_read_timeout .*$/gm) ?? [],
    haproxy: read("haproxy.cfg").match(/^ *timeout (?:server|client|tunnel) .*$/gm) ?? [],
    envoy: read("envoy.yaml").match(/^ *(?:stream_)?idle_timeout: .*$/gm) ?? [],
    ingress: ingress.match(/proxy-read-timeout: .*$/gm) ?? [],
  };
  expect(Object.values(waits).map(({ length }) => length)).toEqual([2, 4, 2, 1]);
  for (const [name, lines] of Object.entries(waits)) {
    expect([name, Math.min(...seconds(lines.join("\n"))) * 1000 > longestSilenceMs]).toEqual([name, true]);
  }
  const { routes } = findRoutes(parse(read("envoy.yaml")));
  expect(new Set(routes.map(({ route }) => route.timeout))).toEqual(new Set(["0s"]));
  // without these, Caddy waits for ever
  expect(read("Caddyfile")).not.toMatch(/response_header_timeout|read_timeout|write_timeout|max_size/);
  expect(nginx).toContain("client_max_body_size 0;");
  expect(ingress).toContain('proxy-body-size: "0"');
});

test("no proxy keeps an idle connection as long as the server does", () => {
  const kept = [read("Caddyfile").match(/^\s*keepalive .*$/m), read("envoy.yaml").match(/idle_timeout: \d+s(?= \}$)/m)];
  for (const found of kept)
    expect(Math.max(...seconds(found?.[0] ?? "")) * 1000).toBeLessThan(defaultTimeouts.keepAliveMs);
  // nginx and HAProxy keep none, or for five seconds
  expect(read("nginx.conf")).not.toContain("keepalive ");
  expect(read("haproxy.cfg")).not.toContain("pool-purge-delay");
});

test("Envoy lets through as many requests as the servers take", () => {
  const bounds = read("envoy.yaml").match(/max_(?:connections|pending_requests|requests): \d+/g) ?? [];
  expect(bounds).toHaveLength(3);
  for (const bound of bounds)
    expect(Number(bound.split(": ")[1])).toBeGreaterThanOrEqual(serverLimits.connections.atMost);
});

interface Routes {
  routes: { route: { timeout: string } }[];
}

/** The one list of routes, wherever it is. */
function findRoutes(at: unknown): Routes {
  const found: Routes[] = [];
  JSON.stringify(at, (key, value: unknown) => {
    if (key === "virtual_hosts") found.push(...(value as Routes[]));
    return value;
  });
  expect(found).toHaveLength(1);
  return found[0] ?? { routes: [] };
}
