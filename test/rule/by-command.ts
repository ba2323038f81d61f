/** The same attempts with the `sop` command, in the test's own process, like authors and scripts use it. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exit } from "../../cli/exit.ts";
import { callSop, makeFolder, type Folder, type CliRun } from "../cli/run-sop.ts";
import {
  pickMember,
  changedText,
  pick,
  someApprovers,
  waiting,
  type Attempt,
  type Person,
  type World,
} from "./world.ts";

/** Runs a command in a folder of its own, because several run at once. @returns whether it succeeded */
async function inFolder(
  world: World,
  person: Person,
  work: (sop: (...args: string[]) => Promise<CliRun>, folder: Folder) => Promise<boolean>,
): Promise<true | undefined> {
  const env = { SOP_SERVER: world.server.running.url, SOP_TOKEN: person.token };
  const folder = makeFolder({ "sop.config.yaml": "schema: 1\npreset: minimal\n" });
  try {
    const sop = async (...args: string[]): Promise<CliRun> => {
      const ran = await callSop(args, { cwd: folder.path, env });
      if (ran.code === exit.bug || ran.code === exit.network) throw new Error(`sop ${args.join(" ")}: ${ran.stderr}`);
      return ran;
    };
    return (await work(sop, folder)) || undefined;
  } finally {
    folder.remove();
  }
}

const isDone = ({ code }: CliRun): boolean => code === exit.done;
const oneSop = (world: World): string => pick(world, world.sopIds);

const submit: Attempt = async (world) => {
  const [person, sopId] = [pickMember(world), oneSop(world)];
  const approvers = await someApprovers(world, person, sopId);
  const args = ["submit", sopId, ...approvers.flatMap((id) => ["--approver", id])];
  return approvers.length > 0 && inFolder(world, person, async (sop) => isDone(await sop(...args)));
};

const decide = (verb: "approve" | "reject"): Attempt => {
  return async (world) => {
    const found = await waiting(world);
    if (!found?.user) return undefined;
    return inFolder(world, found.user, async (sop) => isDone(await sop(verb, found.request.sopId)));
  };
};

const publish: Attempt = (world) =>
  inFolder(world, pickMember(world), async (sop) =>
    isDone(await sop("api", "sops.publish", "--param", `id=${oneSop(world)}`)),
  );

async function push(world: World): Promise<unknown> {
  const [person, sopId] = [pickMember(world), oneSop(world)];
  return inFolder(world, person, async (sop, folder) => {
    if (!isDone(await sop("pull", "--only", sopId))) return false;
    const all = readdirSync(folder.path, { recursive: true, encoding: "utf8" });
    const files = all.filter((name) => name.endsWith(".md"));
    for (const path of files) {
      const file = join(folder.path, path);
      const front =
        readFileSync(file, "utf8")
          .split("\n---\n")[0]
          ?.replace(/\nstatus: .*/, "") ?? "";
      writeFileSync(file, `${front}\nstatus: published\n---\n\n${changedText(world)}`);
    }
    const approvers = world.roll(2) === 0 ? await someApprovers(world, person, sopId) : [];
    const asking = approvers.length === 0 ? [] : ["--submit", ...approvers.flatMap((id) => ["--approver", id])];
    const { code } = await sop("push", ...asking);
    return files.length > 0 && (code === exit.done || code === exit.partly);
  });
}

async function importFiles(world: World): Promise<unknown> {
  const sop = await world.server.db.collection("sops").findOne({ _id: oneSop(world) });
  const front = sop && world.roll(2) === 0 ? `id: ${sop._id}\nversion: ${sop.version}\n` : "";
  const text = `---\ntitle: Imported\ndescription: D\nstatus: published\n${front}---\n\n${changedText(world)}`;
  return inFolder(world, pickMember(world), async (run, folder) => {
    folder.write({ [`${pick(world, ["food-safety", "notes", "allergens"])}/text-${world.roll(20)}.md`]: text });
    return isDone(await run("import", ".", "--on-conflict", "theirs"));
  });
}

/** The attempts with their relative frequency. */
export const commandAttempts: Readonly<Record<string, [number, Attempt]>> = {
  "sop push": [3, push],
  "sop import": [2, importFiles],
  "sop submit": [3, submit],
  "sop approve": [5, decide("approve")],
  "sop reject": [1, decide("reject")],
  "sop api sops.publish": [2, publish],
};
