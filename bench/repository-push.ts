/** A push of changed documents beside `sop import` of the same files: two servers with the same data, whole processes. */
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { figureBesidePeer, median, type Figure } from "./figure.ts";
import { inFolder, quick, seed, serve, start, type Served } from "./repository-served.ts";
import { root } from "./server-process.ts";

const changed = quick ? 50 : 200;
const rounds = quick ? 2 : 3;

export function push(): AsyncGenerator<Figure> {
  return inFolder(async function* (dir) {
    const data = path.join(dir, "data");
    // a third of them stays a draft
    const seeded = await seed(data, Math.ceil(changed * rounds * 1.6));
    await cp(data, path.join(dir, "copy"), { recursive: true });
    const [pushed, imported] = [await serve(seeded), await serve(seeded, path.join(dir, "copy"))];
    try {
      yield await compare(pushed, imported, dir);
    } finally {
      await Promise.all([pushed.server.stop(), imported.server.stop()]);
    }
  });
}

async function compare(pushed: Served, imported: Served, dir: string): Promise<Figure> {
  const work = path.join(dir, "work");
  await start("git", ["clone", "-q", pushed.address, work]);
  const git = (...args: string[]) =>
    start("git", ["-C", work, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args]);
  const { stdout } = await git("ls-files", "sops");
  const files = stdout.split("\n").filter(Boolean);
  const taken = { push: [] as number[], import: [] as number[] };
  for (let turn = 0; turn < rounds; turn += 1) {
    const mine = files.slice(turn * changed, (turn + 1) * changed);
    if (mine.length < changed) throw new Error(`only ${files.length} SOPs are published`);
    const folder = path.join(dir, `import-${turn}`);
    await git("checkout", "-q", "--detach", "origin/main");
    for (const file of mine) {
      const text = `${await readFile(path.join(work, file), "utf8")}\nAnd note the time, turn ${turn}.\n`;
      await writeFile(path.join(work, file), text);
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), text);
    }
    await cp(path.join(work, ".sop"), path.join(folder, ".sop"), { recursive: true });
    await git("commit", "-qam", `Turn ${turn}`);
    taken.import.push(await importFolder(imported, folder, path.join(dir, "config")));
    const began = performance.now();
    const { stderr } = await git("push", "-q", "origin", "HEAD:refs/for/main");
    taken.push.push(performance.now() - began);
    const drafts = stderr.match(/: draft v\d+ on top of/g)?.length;
    if (drafts !== changed) throw new Error(`not all were taken: ${stderr.slice(0, 2_000)}`);
  }
  const name = `repository: push of ${changed} changed documents, beside sop import of the same`;
  return figureBesidePeer(name, "ms", median(taken.push), median(taken.import), "<= 2");
}

async function importFolder({ server, token }: Served, folder: string, config: string): Promise<number> {
  const env = {
    PATH: process.env["PATH"],
    SOP_SERVER: server.url,
    SOP_TOKEN: token,
    SOP_KEYRING: "off",
    XDG_CONFIG_HOME: config,
  };
  const began = performance.now();
  const { stdout } = await start(process.execPath, [path.join(root, "dist/sop.js"), "import", folder, "--json"], {
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  const taken = performance.now() - began;
  const { data } = JSON.parse(stdout) as { data: { totals: Record<string, number> } };
  if (data.totals["update"] !== changed) throw new Error(`not all were imported: ${JSON.stringify(data.totals)}`);
  return taken;
}
