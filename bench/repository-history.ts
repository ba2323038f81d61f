/** A repository made again from the ledger beside `git fast-import` of the same commits, and proved beside `git fsck`. */
import path from "node:path";
import { readConfig } from "../server/config.ts";
import { createDatabaseLedger } from "../server/repository/database-ledger.ts";
import { realDisk } from "../server/repository/disk.ts";
import { findGit } from "../server/repository/git-process.ts";
import { rebuildAndReplace } from "../server/repository/rebuild.ts";
import { openServices } from "../server/services.ts";
import { cpuSeconds } from "./cpu-seconds.ts";
import { figureBesidePeer, median, type Figure } from "./figure.ts";
import { inFolder, quick, seed, start, type Seeded } from "./repository-served.ts";
import { root } from "./server-process.ts";

/** Two of three are published: 10,000 versions and publications, one commit each. */
const rebuilt = quick ? 600 : 6_000;
const proved = quick ? 400 : 2_000;
const turns = quick ? 3 : 1;

export function rebuild(): AsyncGenerator<Figure> {
  return inFolder(async function* (dir) {
    const { env, companyId, gitdir } = await seed(path.join(dir, "data"), rebuilt, false);
    const config = readConfig({ ...env, LOG_LEVEL: "warn" });
    const input = path.join(dir, "input");
    const refs = ["history", "main", "refs/notes/approvals"];
    const known = (await start("git", ["-C", gitdir, "for-each-ref", "--format=%(refname)"])).stdout;
    const exported = refs.filter((ref) => known.includes(ref)).join(" ");
    await start("sh", ["-c", `git -C '${gitdir}' fast-export --reencode=no ${exported} > '${input}'`]);
    const alone = `rm -rf alone.git && git init -q --bare alone.git && git -C alone.git fast-import --quiet --date-format=raw < '${input}'`;
    const services = await openServices({ config });
    try {
      const ledger = createDatabaseLedger(services.db, services.blobs);
      const taken = { ours: [] as number[], oursCpu: [] as number[], git: [] as number[], gitCpu: [] as number[] };
      for (let turn = 0; turn < turns; turn += 1) {
        const began = performance.now();
        const [used = Number.NaN] = await cpuSeconds([["sh", "-c", alone]], dir, 1);
        taken.git.push((performance.now() - began) / 1000);
        taken.gitCpu.push(used);
        const [from, before] = [performance.now(), process.cpuUsage()];
        const settings = { disk: realDisk, ledger, git: findGit(), looseAtMost: 200_000 };
        const made = await rebuildAndReplace(settings, companyId, path.join(dir, "rebuilt.git"));
        const { user, system } = process.cpuUsage(before);
        taken.ours.push((performance.now() - from) / 1000);
        taken.oursCpu.push((user + system) / 1e6);
        if (
          made.refs.history.oid !== (await headOf(gitdir)) ||
          (await headOf(path.join(dir, "alone.git"))) !== made.refs.history.oid
        )
          throw new Error("another history was made");
      }
      const commits = Number((await start("git", ["-C", gitdir, "rev-list", "--count", "history"])).stdout);
      const name = `repository: rebuild of ${commits} versions and publications, beside git fast-import`;
      yield figureBesidePeer(name, "s", median(taken.ours), median(taken.git), "<= 1.5");
      yield figureBesidePeer(`${name}: processor time`, "s", median(taken.oursCpu), median(taken.gitCpu), "<= 1.5");
      const [own, peer] = await cpuSeconds(
        ["rebuilt.git", "alone.git"].map((folder) => ["git", "-C", folder, "repack", "-adfq"]) as [string[], string[]],
        dir,
        1,
      );
      yield figureBesidePeer("repository: its full repack in the background: processor time", "s", own, peer);
    } finally {
      await services.close();
    }
  });
}

async function headOf(gitdir: string): Promise<string> {
  return (await start("git", ["-C", gitdir, "rev-parse", "history"])).stdout.trim();
}

export function proof(): AsyncGenerator<Figure> {
  return inFolder(async function* (dir) {
    const { env, companyId, gitdir } = await seed(path.join(dir, "data"), proved);
    const copy = path.join(dir, "proved.git");
    await start("git", ["clone", "-q", "--mirror", `file://${gitdir}`, copy]);
    const [fsck, sop, python] = await cpuSeconds(
      [
        ["git", "-C", copy, "fsck", "--full", "--strict", "--no-dangling", "--no-progress"],
        [process.execPath, path.join(root, "dist/sop.js"), "verify", copy],
        ["python3", path.join(root, "verify.py"), copy],
      ],
      dir,
      3,
    );
    const checked = await serverCheck(env, companyId);
    for (const [seconds, title] of [
      [sop, "a clone proved by sop verify"],
      [python, "a clone proved by verify.py"],
      [checked, "the server's check against the ledger, without its fsck"],
    ] as const) {
      const name = `repository: ${title}, for each second of processor time, beside git fsck of the clone`;
      yield figureBesidePeer(name, "versions/s", proved / seconds, proved / fsck, ">= 2000 versions/s");
    }
  });
}

/** Processor seconds of this process; git's own check of the objects is the peer. */
async function serverCheck(env: Seeded["env"], companyId: string): Promise<number> {
  const services = await openServices({ config: readConfig({ ...env, LOG_LEVEL: "warn" }) });
  try {
    const taken: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const before = process.cpuUsage();
      const report = await services.repositories.verify(companyId);
      const { user, system } = process.cpuUsage(before);
      if (!report.ok) throw new Error(`it isn't what the ledger says: ${JSON.stringify(report.findings)}`);
      taken.push((user + system) / 1e6);
    }
    return median(taken);
  } finally {
    await services.close();
  }
}
