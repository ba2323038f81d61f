/**
 * `npm run bench -- operate:backup`: a backup of 10,000 SOPs while people save, its restore and comparison, with the built
 * programs, beside SQLite's own `VACUUM INTO` of the same database. Then backups at random moments, each restored and compared.
 */
import { spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import path from "node:path";
// oxlint-disable-next-line no-restricted-imports -- the peer
import { DatabaseSync } from "node:sqlite";
import { figureBesidePeer, round, type Figure } from "./figure.ts";
import { account, quick, withData, type Data } from "./operate-server.ts";
import { fromTests } from "./proof.ts";
import { root, signIn, startServer } from "./server-process.ts";

const count = quick ? 1_000 : 10_000;
const writers = 4;

export async function* backup(): AsyncGenerator<Figure> {
  yield* withData(ofOneBackup, count);
  yield* await fromTests("server/backup/moments.test.ts");
}

async function* ofOneBackup(data: Data): AsyncGenerator<Figure> {
  const { dir } = data;
  const env = { ...data.env, BACKUP_PASSPHRASE: "a long bench passphrase", LOG_LEVEL: "warn" };
  const file = path.join(dir, "backup.ndjson.gz");
  const server = await startServer("dist/server/main.js", env);
  const saves = startSaving(server.url, await signIn(server.url, account.username, account.password));
  const alone = await saves.during(() => new Promise<void>((resolve) => setTimeout(resolve, 5_000)));
  let seconds = 0;
  const beside = await saves.during(async () => (seconds = await admin(["backup", file], env)));
  await saves.stop();
  const copied = copyOf(env.DATA_DIR, path.join(dir, "peer.db"));
  await server.stop();
  const restored = { ...env, DATA_DIR: path.join(dir, "restored") };
  const restoring = await admin(["restore", file], restored);
  const verifying = await admin(["verify", "--backup", file], restored);
  const name = `backup of ${count} SOPs`;
  yield figureBesidePeer(`${name} while ${writers} save, beside VACUUM INTO`, "s", seconds, copied, "<= 30 s");
  yield { name: `${name}: saves beside it`, ...ratioOf(beside, alone), unit: "saves/s" };
  yield { name: `${name}: restore and verify`, value: round(restoring + verifying), unit: "s", goal: "<= 60 s" };
  yield { name: `${name}: restore`, value: round(restoring), unit: "s" };
  const { size } = await stat(file);
  yield { name: `${name}: size`, value: round(size / 1_000_000), unit: "MB" };
}

const ratioOf = (value: number, peer: number) => ({
  value: round(value),
  peer: round(peer),
  ratio: round(value / peer),
});

/** Saves again and again by some writers, each its own SOPs. */
function startSaving(url: string, cookie: string) {
  const headers = { cookie, origin: url, "content-type": "application/json" };
  let [saved, stopped] = [0, false];
  const write = async (writer: number): Promise<void> => {
    const answer = await fetch(`${url}/api/sops?limit=100`, { headers });
    const sops = ((await answer.json()) as { data: { id: string }[] }).data;
    const data = sops.filter((_, at) => at % writers === writer);
    for (let n = 0; !stopped; n++) {
      const body = JSON.stringify({ markdown: `## Purpose\n\nSave ${n} of writer ${writer}.\n` });
      const sop = data[n % data.length]?.id ?? "";
      const saving = await fetch(`${url}/api/sops/${sop}`, { method: "PUT", headers, body });
      if (!saving.ok) throw new Error(`a save answered ${saving.status}: ${await saving.text()}`);
      saved += 1;
    }
  };
  const running = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  return {
    /** @returns saves a second while `work` runs */
    async during(work: () => Promise<unknown>): Promise<number> {
      const [before, started] = [saved, performance.now()];
      await Promise.race([work(), running]);
      return ((saved - before) / (performance.now() - started)) * 1000;
    },
    async stop(): Promise<void> {
      stopped = true;
      await running;
    },
  };
}

/** @returns seconds of the whole process */
function admin(args: readonly string[], env: Record<string, string>): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, [path.join(root, "dist/server/admin.js"), ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      if (code === 0) resolve((performance.now() - started) / 1000);
      else reject(new Error(`sop admin ${args[0]} ended with ${code}`));
    });
  });
}

/** The seconds that SQLite takes for a copy of the same database, beside the same server. */
function copyOf(dataDir: string, file: string): number {
  const database = new DatabaseSync(path.join(dataDir, "sopwright.db"), { readOnly: true });
  const started = performance.now();
  database.exec(`VACUUM INTO '${file}'`);
  database.close();
  return (performance.now() - started) / 1000;
}
