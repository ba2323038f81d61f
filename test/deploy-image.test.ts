/**
 * The image of `deploy/Dockerfile`, built and run by Docker as `compose.yaml` says. Its base image is made here, of
 * Debian's packages and the project's Node. It needs root, Docker and debootstrap, and takes minutes: the nightly run has it.
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { packedFile } from "./cli/npm.ts";
import { freePort } from "./free-port.ts";
import { exchange } from "./http.ts";
import { isNightly } from "./nightly.ts";
import { node, project } from "./node-program.ts";

const have = (program: string) => spawnSync("which", [program]).status === 0;
const canRun = process.getuid?.() === 0 && have("dockerd") && have("debootstrap");
const patience = { timeout: 60_000, interval: 200 };

interface Service {
  init: boolean;
  read_only: boolean;
  cap_drop: string[];
  security_opt: string[];
  tmpfs: string[];
  volumes: string[];
}

describe.skipIf(!isNightly || !canRun)("the image", () => {
  let folder: string;
  let daemon: ChildProcess;

  const run = (program: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(program, args, {
      encoding: "utf8",
      env: { ...process.env, DOCKER_HOST: `unix://${folder}/docker.sock`, DOCKER_BUILDKIT: "0" },
    });
    return { status, output: stdout + stderr };
  };
  const docker = (...args: string[]) => run("/usr/bin/docker", ...args);
  const done = ({ status, output }: ReturnType<typeof run>) => {
    expect([status, status === 0 ? "" : output.slice(-2000)]).toEqual([0, ""]);
    return output.trim();
  };

  /** What `node:24` is for the Dockerfile: Debian with git, Node and npm. */
  function makeBase(): void {
    const root = path.join(folder, "base");
    done(run("debootstrap", "--variant=minbase", "--include=git,ca-certificates", "bookworm", root));
    cpSync(realpathSync(node), path.join(root, "usr/local/bin/node"));
    const npm = spawnSync("sh", ["-c", 'realpath "$(which npm)"'], { encoding: "utf8" }).stdout.trim();
    const ofNpm = path.dirname(path.dirname(npm));
    cpSync(ofNpm, path.join(root, "usr/local/lib/node_modules/npm"), { recursive: true });
    done(run("ln", "-s", "../lib/node_modules/npm/bin/npm-cli.js", path.join(root, "usr/local/bin/npm")));
    // where this machine gets packages from
    const settings = ["globalconfig", "userconfig"]
      .map((name) => spawnSync("npm", ["config", "get", name], { encoding: "utf8" }).stdout.trim())
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, "utf8"));
    mkdirSync(path.join(root, "usr/local/etc"), { recursive: true });
    const certificates = "etc/ssl/certs/ca-certificates.crt";
    settings.push(`cafile=/${certificates}`);
    writeFileSync(path.join(root, "usr/local/etc/npmrc"), settings.join("\n"));
    if (existsSync(`/${certificates}`)) cpSync(`/${certificates}`, path.join(root, certificates));
    const archive = path.join(folder, "base.tar");
    done(run("tar", "-C", root, "-cf", archive, "."));
    for (const tag of ["node:24", "node:24-slim"]) done(docker("import", archive, tag));
  }

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "sopwright-docker-"));
    const own = ["data-root", "exec-root"].flatMap((name) => [`--${name}`, path.join(folder, name)]);
    const quiet = ["--bridge=none", "--iptables=false", "--ip6tables=false", "--storage-driver=vfs"];
    daemon = spawn(
      "dockerd",
      [...own, ...quiet, "-H", `unix://${folder}/docker.sock`, "--pidfile", path.join(folder, "pid")],
      { stdio: "ignore" },
    );
    await vi.waitFor(() => expect(docker("info").status).toBe(0), patience);
    makeBase();
    const context = path.join(folder, "context");
    mkdirSync(context);
    cpSync(packedFile("sopwright-server"), path.join(context, path.basename(packedFile("sopwright-server"))));
    const file = path.join(project, "deploy/Dockerfile");
    done(docker("build", "--network=host", "-f", file, "-t", "sopwright", context));
  }, 1_200_000);

  afterAll(async () => {
    docker("rm", "-f", "server");
    if (daemon?.exitCode === null) {
      const ended = new Promise((resolve) => daemon.once("exit", resolve));
      daemon.kill("SIGTERM");
      await ended;
    }
    if (!folder) return;
    // the daemon leaves its own network mounted
    run("umount", path.join(folder, "exec-root/netns/default"));
    rmSync(folder, { recursive: true, force: true });
  }, 120_000);

  test(
    "starts as compose.yaml says on a new volume, has tasks, stops, and finds its data again",
    { timeout: 300_000 },
    async () => {
      const compose = readFileSync(path.join(project, "deploy/compose.yaml"), "utf8");
      const { server } = (parse(compose) as { services: { server: Service } }).services;
      const port = await freePort();
      const options = [
        ...(server.init ? ["--init"] : []),
        ...(server.read_only ? ["--read-only"] : []),
        ...server.cap_drop.map((name) => `--cap-drop=${name}`),
        ...server.security_opt.map((name) => `--security-opt=${name}`),
        ...server.tmpfs.map((name) => `--tmpfs=${name}`),
        ...server.volumes.flatMap((volume) => ["-v", volume]),
        ...["ALLOW_INSECURE=1", `PORT=${port}`, "HOST=127.0.0.1"].flatMap((setting) => ["-e", setting]),
        "--network=host",
      ];
      done(docker("run", "-d", "--name", "server", ...options, "sopwright"));
      const ready = () =>
        vi.waitFor(async () => {
          const answer = await exchange(`http://127.0.0.1:${port}`, { path: "/readyz" });
          expect([answer.status, docker("logs", "server").output.slice(-500)]).toEqual([200, expect.any(String)]);
        }, patience);
      await ready();
      const program = "/app/node_modules/sopwright-server/dist/server/sopwright-server.js";
      expect(done(docker("exec", "server", "node", program, "admin", "status"))).toMatch(/repositories\s+ok/);
      done(docker("stop", "-t", "60", "server"));
      expect(done(docker("inspect", "-f", "{{.State.ExitCode}}", "server"))).toBe("0");
      done(docker("start", "server"));
      await ready();
    },
  );
});
