/** A second git host over HTTP, like GitHub or Gitea: native `git http-backend` behind a token. */
import { randomBytes } from "node:crypto";
import { spawn, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { git, runGit, type GitRun } from "./git.ts";

export interface HostRequest {
  method: string;
  path: string;
  authorization: string;
}

export interface GitHost {
  /** The address, such as `http://127.0.0.1:4567`. */
  url: string;
  token: string;
  requests: HostRequest[];
  /** Answers a request in place of the repository; `false` lets it through. */
  answer: ((request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>) | null;
  /** Creates an empty repository. @returns the repository's address */
  create(name: string): Promise<string>;
  /** Runs git on a repository of the host. */
  git(name: string, ...args: string[]): Promise<string>;
  /** The address with the token, for a person's clone. */
  withToken(url: string): string;
  /** The refs of a repository and their commits. */
  refs(name: string): Promise<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts a host. Each has a token of its own, so that a search for it finds no token of another test. */
export async function startGitHost(token = `glpat-${randomBytes(8).toString("hex")}`): Promise<GitHost> {
  const root = mkdtempSync(path.join(tmpdir(), "sopwright-git-host-"));
  const backend = path.join(execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim(), "git-http-backend");
  const host: GitHost = {
    url: "",
    token,
    requests: [],
    answer: null,
    async create(name) {
      await git(root, "init", "-q", "--bare", "--initial-branch=main", `${name}.git`);
      await host.git(name, "config", "http.receivepack", "true");
      // large hosts refuse forced pushes to a protected branch too
      await host.git(name, "config", "receive.denyNonFastForwards", "true");
      return `${host.url}/${name}.git`;
    },
    git: (name, ...args) => git(path.join(root, `${name}.git`), ...args),
    withToken: (url) => url.replace("://", `://x:${token}@`),
    async refs(name) {
      const { stdout }: GitRun = await runGit(path.join(root, `${name}.git`), "show-ref");
      const lines = stdout.split("\n").filter(Boolean);
      return Object.fromEntries(lines.map((line) => [line.slice(41), line.slice(0, 40)]));
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(root, { recursive: true, force: true });
    },
  };

  const server = createServer((request, response) => void serve(request, response));
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    host.requests.push({ method, path: url, authorization: headers.authorization ?? "" });
    if (host.answer && (await host.answer(request, response))) return;
    const [, secret] = Buffer.from(headers.authorization?.replace(/^Basic /, "") ?? "", "base64")
      .toString()
      .split(":");
    if (secret !== token) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="host"' }).end();
      return;
    }
    runBackend(request, response);
  }

  function runBackend(request: IncomingMessage, response: ServerResponse): void {
    const { method = "", url = "", headers } = request;
    const [pathname = "", query = ""] = url.split("?");
    // the client left during the wait for the answer
    if (response.destroyed) return;
    const child = spawn(backend, {
      env: {
        PATH: process.env["PATH"],
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: "1",
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_GLOBAL: "/dev/null",
        REMOTE_USER: "mirror",
        REMOTE_ADDR: "127.0.0.1",
        REQUEST_METHOD: method,
        PATH_INFO: decodeURIComponent(pathname),
        QUERY_STRING: query,
        CONTENT_TYPE: headers["content-type"] ?? "",
        ...(headers["content-length"] ? { CONTENT_LENGTH: headers["content-length"] } : {}),
        ...(headers["content-encoding"] ? { HTTP_CONTENT_ENCODING: headers["content-encoding"] } : {}),
        ...(headers["git-protocol"] ? { GIT_PROTOCOL: String(headers["git-protocol"]) } : {}),
      },
    });
    request.pipe(child.stdin);
    child.stdin.on("error", () => undefined);
    request.once("close", () => child.stdin.end());
    // git would wait for the rest of the request without end, at full speed, so it ends when the client leaves
    response.once("close", () => child.kill("SIGKILL"));
    let head: Buffer | null = Buffer.alloc(0);
    child.stdout.on("data", (chunk: Buffer) => {
      if (head === null) return void response.write(chunk);
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end === -1) return;
      const lines = head.toString("latin1", 0, end).split("\r\n");
      const fields = lines.map((line) => line.split(/: (.*)/s) as [string, string]);
      const status = Number(fields.find(([name]) => name === "Status")?.[1]?.slice(0, 3) ?? 200);
      response.writeHead(
        status,
        fields.filter(([name]) => name !== "Status").flatMap(([name, value]) => [name, value]),
      );
      response.write(head.subarray(end + 4));
      head = null;
    });
    child.stdout.on("end", () => response.end());
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return host;
}
