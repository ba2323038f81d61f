/**
 * The image of `deploy/Dockerfile`: built by Docker, started by Docker Compose, and once more as a service of systemd. Its
 * base image is made here, of Debian's packages and the project's Node. It needs root, Docker and debootstrap, and takes
 * minutes: runs at night, and after changes of `deploy/` (SOP_IMAGE=1).
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { packedFile } from "./cli/npm.ts";
import { compose, deploy, done as recorded, have, read } from "./deploy-files.ts";
import { freePort } from "./free-port.ts";
import { exchange } from "./http.ts";
import { isNightly } from "./nightly.ts";
import { node } from "./node-program.ts";
import { isProof } from "./proof.ts";

const canRun = process.getuid?.() === 0 && have("dockerd") && have("debootstrap");
const token = "a-token-of-the-operator";
const passphrase = "copper lantern drifts sideways";
const patience = { timeout: 60_000, interval: 200 };

/** systemd starts services with these. A container has the others anyway. */
const capabilities = ["SYS_ADMIN", "SYS_NICE", "NET_ADMIN", "SYS_PTRACE", "DAC_READ_SEARCH"];

/** The commands of docs/server.md, by what the server runs under. */
function taskOf(place: string): string {
  const found = read("../docs/server.md")
    .split("\n")
    .find((line) => line.startsWith(`| ${place} | \``));
  return /\| `(.+)` \|$/.exec(found ?? "")?.[1] ?? "";
}

describe.skipIf(!(isNightly || isProof || process.env["SOP_IMAGE"] === "1") || !canRun)("the image", () => {
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
    done(run("debootstrap", "--variant=minbase", "--include=git,ca-certificates,systemd-sysv,dbus", "bookworm", root));
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

  const isReady = (at: number, said: () => string) =>
    vi.waitFor(async () => {
      const answer = await exchange(`http://127.0.0.1:${at}`, { path: "/readyz" }).catch((error: unknown) => {
        throw new Error(said().slice(-1000), { cause: error });
      });
      expect([answer.status, said().slice(-500)]).toEqual([200, expect.any(String)]);
      expect((answer.json() as { parts: object }).parts).toMatchObject({ backups: "ok" });
    }, patience);

  /** A company: before that, there is nothing to back up. */
  const register = async (at: number, origin: string) => {
    const answer = await exchange(`http://127.0.0.1:${at}`, {
      method: "POST",
      path: "/api/auth/register",
      headers: { origin, host: new URL(origin).host, "content-type": "application/json" },
      body: JSON.stringify({ username: "ada", password: "a long walk to the river", name: "Ada" }),
    });
    expect([answer.status, answer.body]).toEqual([201, expect.any(String)]);
  };
  const backupName = /^sopwright-\w+-[0-9a-f]{12}\.ndjson\.gz$/m;
  /** The server looks each minute. */
  const longPatience = { timeout: 120_000, interval: 1_000 };

  beforeAll(async () => {
    await compose.install();
    folder = mkdtempSync(path.join(tmpdir(), "sopwright-docker-"));
    const own = ["data-root", "exec-root"].flatMap((name) => [`--${name}`, path.join(folder, name)]);
    const quiet = ["--bridge=none", "--iptables=false", "--ip6tables=false"];
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
    done(docker("build", "--network=host", "-f", deploy("Dockerfile"), "-t", "sopwright", context));
    recorded("Dockerfile", "started", "docker");
  }, 1_200_000);

  afterAll(async () => {
    const running = docker("ps", "-aq").output.split("\n").filter(Boolean);
    if (running.length > 0) docker("rm", "-f", ...running);
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

  test("compose.yaml starts it on new volumes, with backups and tasks, stops it, and finds its data again", async () => {
    const port = await freePort();
    const own = path.join(folder, "own.yaml");
    writeFileSync(own, `services: { server: { ports: !override ["127.0.0.1:${port}:3000"] } }\n`);
    const program = path.join(compose.bin, "docker-compose");
    // a copy beside its settings
    const file = path.join(folder, "compose.yaml");
    cpSync(deploy("compose.yaml"), file);
    writeFileSync(path.join(folder, ".env"), `METRICS_TOKEN=${token}\n`);
    const files = ["-f", file, "-f", own];
    const composed = (...args: string[]) => run(program, ...files, ...args);
    const logs = () => composed("logs", "server").output;
    /** A line of docs/server.md. */
    const task = (place: string) => {
      const [, ...args] = taskOf(place).split("docker compose -f deploy/compose.yaml ");
      expect(args).toHaveLength(1);
      return done(composed(...(args[0] ?? "").replace(/^exec /, "exec -T ").split(" ")));
    };
    done(composed("up", "-d", "--no-build"));
    await isReady(port, logs);
    expect(task("compose")).toMatch(/repositories\s+ok/);
    await register(port, "http://localhost:3000");
    const metrics = { path: "/metrics", headers: { authorization: `Bearer ${token}` } };
    expect((await exchange(`http://127.0.0.1:${port}`, metrics)).status).toBe(200);
    const asRoot = composed(
      ...taskOf("compose")
        .split("compose.yaml ")[1]!
        .replace(/^exec /, "exec -T -u 0 ")
        .split(" "),
    );
    expect([asRoot.status, asRoot.output]).toEqual([
      5,
      expect.stringContaining("Run it as user 1000: with docker compose exec, leave out -u 0"),
    ]);
    await vi.waitFor(
      () => expect(done(composed("exec", "-T", "server", "ls", "/backups"))).toMatch(backupName),
      longPatience,
    );
    await vi.waitFor(() => expect(done(composed("ps", "--format", "json"))).toContain('"Health":"healthy"'), patience);
    done(composed("stop"));
    expect(done(composed("ps", "-a", "--format", "json"))).toContain('"ExitCode":0');
    expect(task("compose, server stopped")).toMatch(/repositories\s+ok/);
    done(composed("start"));
    await isReady(port, logs);
    done(composed("down", "-v"));
    recorded("compose.yaml", "started", "docker-compose");
  }, 300_000);

  test("says that a read-only disk can't have backups", async () => {
    const port = await freePort();
    const settings = ["ALLOW_INSECURE=1", `PORT=${port}`, "HOST=127.0.0.1", "BACKUP_DIR=/app/backups"];
    const given = settings.flatMap((setting) => ["-e", setting]);
    done(
      docker("run", "-d", "--name", "server", "--read-only", "--tmpfs=/tmp", "--network=host", ...given, "sopwright"),
    );
    await vi.waitFor(async () => {
      const answer = await exchange(`http://127.0.0.1:${port}`, { path: "/readyz" });
      expect(answer.body).toContain("BACKUP_DIR can't be written: the disk is read-only");
    }, patience);
    done(docker("rm", "-f", "server"));
  }, 120_000);

  test("sopwright.service starts under systemd, with backups and tasks, and after failures without an end", async () => {
    const port = await freePort();
    const options = [
      ...capabilities.map((name) => `--cap-add=${name}`),
      ...["seccomp=unconfined", "apparmor=unconfined"].map((option) => `--security-opt=${option}`),
      ...["/run", "/run/lock", "/tmp"].map((place) => `--tmpfs=${place}`),
      "--volume=/sys/fs/cgroup:/sys/fs/cgroup:rw",
      "--cgroupns=host",
      "--env=container=docker",
      "--user=0:0",
      "--entrypoint=/sbin/init",
      "--network=host",
    ];
    done(docker("run", "-d", "--name", "systemd", ...options, "sopwright"));
    // without the settings of the image
    const clean = ["env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin", "sh", "-c"];
    const inside = (command: string) => docker("exec", "systemd", ...clean, command);
    const logs = () => inside("journalctl -u sopwright --no-pager | tail -20").output;
    await vi.waitFor(() => expect(inside("systemctl is-system-running").output).toMatch(/running|degraded/), patience);
    // systemd shares its mounts on a machine, and leaves those of a container private: no service would see its credentials
    done(inside("mount --make-rshared /"));
    const dropIn = "/etc/systemd/system/sopwright.service.d";
    // no folder can be made there: exit 5, more often than systemd tries by default
    done(
      inside(
        `ln -s /app /opt/sopwright; mkdir ${dropIn}; printf '[Service]\\nRestartSec=50ms\\n' > ${dropIn}/soon.conf`,
      ),
    );
    done(inside(`printf 'PORT=${port}\\nDATA_DIR=/proc/none\\n' > /etc/sopwright.env`));
    // the commands in the first lines of the unit, which comes from the package
    const commands = [...read("sopwright.service").matchAll(/^# {3}((?:cp|systemctl) .+)$/gm)].map(([, line]) => line);
    expect(commands).toHaveLength(2);
    done(inside(commands.join(" && ")));
    await vi.waitFor(() => {
      const { output } = inside("systemctl show -p NRestarts sopwright");
      expect([Number(output.trim().split("=")[1]) > 7, logs()]).toEqual([true, expect.any(String)]);
    }, patience);
    done(inside(`echo PORT=${port} > /etc/sopwright.env`));
    await isReady(port, logs);
    await register(port, `http://localhost:${port}`);
    await vi.waitFor(() => expect(done(inside("ls /var/lib/sopwright-backups"))).toMatch(backupName), longPatience);
    expect(done(inside("stat -c %a /var/lib/private/sopwright /var/lib/private/sopwright-backups"))).toBe("700\n700");
    expect(done(inside(taskOf("systemd, as root")))).toMatch(/repositories\s+ok/);

    // the rehearsal of docs/backup.md, with the names of files that it has
    const rehearse = (dataDir: string, admin: string) =>
      inside(
        taskOf("systemd, as root")
          .replace("DATA_DIR=/var/lib/sopwright", `DATA_DIR=${dataDir} -E 'BACKUP_PASSPHRASE=${passphrase}'`)
          .replace("admin verify", `admin ${admin}`),
      );
    const copy = "./rehearsal.ndjson.gz";
    done(rehearse("/var/lib/sopwright", `backup ${copy}`));
    done(rehearse("./rehearsal", `restore ${copy}`));
    expect(done(rehearse("./rehearsal", `verify --backup ${copy}`))).toMatch(/backup\s+ok/);
    // a file of root
    const kept = "/var/lib/private/sopwright-backups";
    done(inside(`rm -r ${kept}/rehearsal; chown root:root ${kept}/rehearsal.ndjson.gz`));
    expect(rehearse("./rehearsal", `restore ${copy}`).output).toContain("permission denied");
    const [, give = ""] = /`(chown --reference=.+) <file>`/.exec(read("../docs/server.md")) ?? [];
    done(inside(`${give} ${kept}/rehearsal.ndjson.gz`));
    done(rehearse("./rehearsal", `restore ${copy}`));

    // a secret in a file of root
    const secret = "/etc/sopwright-metrics-token";
    done(inside(`umask 077; echo ${token} > ${secret}`));
    done(inside(`echo METRICS_TOKEN_FILE=${secret} >> /etc/sopwright.env; systemctl restart sopwright`));
    await vi.waitFor(() => {
      const said = inside("journalctl -u sopwright --no-pager | tail -20").output;
      expect(said).toContain(`METRICS_TOKEN_FILE: ${secret} can't be read: permission denied`);
    }, patience);
    const asked = { path: "/metrics", headers: { authorization: `Bearer ${token}` } };
    const metrics = async () => (await exchange(`http://127.0.0.1:${port}`, asked)).status;
    // handed over by the drop-in of docs/server.md
    const [, credential = ""] = /```ini\n([^`]+)```/.exec(read("../docs/server.md")) ?? [];
    done(inside(`mkdir -m 700 /etc/sopwright; mv ${secret} /etc/sopwright/metrics-token`));
    done(inside(`printf '${credential.replaceAll("%", "%%")}' > ${dropIn}/credential.conf; systemctl daemon-reload`));
    done(inside(`echo PORT=${port} > /etc/sopwright.env; systemctl restart sopwright`));
    await isReady(port, logs);
    expect(await metrics()).toBe(200);
    // and to a task
    const [, more = ""] = /`(--unit=sopwright-task .+)`/.exec(read("../docs/server.md")) ?? [];
    const withToken = more.replaceAll("app-keys", "metrics-token").replace("APP_KEYS", "METRICS_TOKEN");
    const task = taskOf("systemd, as root").replace("systemd-run ", `systemd-run ${withToken} `);
    expect(done(inside(task))).toMatch(/repositories\s+ok/);
    // or a line of the settings
    done(inside(`rm ${dropIn}/credential.conf; systemctl daemon-reload`));
    done(
      inside(`printf 'PORT=${port}\\nMETRICS_TOKEN=${token}\\n' > /etc/sopwright.env; chmod 600 /etc/sopwright.env`),
    );
    done(inside("systemctl restart sopwright"));
    await isReady(port, logs);
    expect(await metrics()).toBe(200);

    // a restart with a drain
    const pid = () => inside("systemctl show -p MainPID sopwright").output.trim();
    const before = pid();
    done(inside("systemctl kill -s HUP sopwright"));
    await vi.waitFor(() => expect([before, "MainPID=0"]).not.toContain(pid()), patience);
    await isReady(port, logs);
    done(inside("systemctl stop sopwright"));

    // its port is taken for some time, as after a start by hand
    const other = createServer().listen(port, "127.0.0.1");
    await once(other, "listening");
    done(inside("systemctl start sopwright"));
    await vi.waitFor(() => {
      expect([logs(), inside("systemctl is-active sopwright").output.trim()]).toEqual([
        expect.stringContaining(`port ${port} is in use`),
        "activating",
      ]);
    }, patience);
    other.close();
    await isReady(port, logs);
    done(inside("systemctl stop sopwright"));
    expect(done(inside("systemctl show -p Result -p ExecMainStatus sopwright")).split("\n").sort()).toEqual([
      "ExecMainStatus=0",
      "Result=success",
    ]);
    recorded("sopwright.service", "started", "systemd");
  }, 300_000);
});
