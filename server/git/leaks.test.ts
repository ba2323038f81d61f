/** Words of texts that a user can't read are in no clone, fetch, answer to a push, proposal or notification. */
import { randomBytes } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { mayReadVersion, visibleVersion } from "#core/permissions/can.ts";
import { maySeeProposal } from "#core/proposals/rules.ts";
import { git, gitFolder, runGit } from "../../test/git.ts";
import { gitWriter } from "../../test/git-writer.ts";
import { count, recordFigure } from "../../test/proof.ts";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";
import { actorOf } from "../http/identify.ts";

const rounds = count({ usual: 30, nightly: 5_000, proof: 5_000 });
/** Then a new company: its history would make each view slower. */
const roundsOfCompany = 250;
const word = /\bqz[0-9a-f]{12}\b/g;
const newWord = () => `qz${randomBytes(6).toString("hex")}`;

describeServer("words of others", (server) => {
  let dir = "";
  let remove = () => {};
  beforeEach(() => ({ dir, remove } = gitFolder()));
  afterEach(() => remove());

  const { addressOf, write, commit, push } = gitWriter(server, () => dir);
  /** The same walk each time. */
  let seed = 7;
  const pick = <T>(all: readonly T[]): T => {
    seed = (seed * 48_271) % 2_147_483_647;
    const found = all[seed % all.length];
    if (found === undefined) throw new Error("nothing to choose from");
    return found;
  };

  /** All words that are stored, and those of them that the user may see. */
  async function wordsOf(company: Company, user: TestUser, own: ReadonlySet<string>) {
    const store = server().db.forCompany(company.id);
    const account = await server().db.collection("users").findOne({ _id: user.id });
    const settings = await server().db.collection("companies").findOne({ _id: company.id });
    if (!account || !settings) throw new Error("the user is gone");
    const actor = actorOf(account, settings, server().clock.now());
    const sops = new Map((await store.collection("sops").find({})).map((sop) => [sop._id, sop]));
    const all = new Set<string>();
    const allowed = new Set(own);
    const add = (text: string, isAllowed: boolean) => {
      for (const [found] of text.matchAll(word)) {
        all.add(found);
        if (isAllowed) allowed.add(found);
      }
    };
    for (const { sopId, version, markdown, frontMatter, changeNote } of await store
      .collection("sop_versions")
      .find({})) {
      const sop = sops.get(sopId);
      const text = [markdown, JSON.stringify(frontMatter), changeNote ?? ""].join("\n");
      add(text, sop !== undefined && mayReadVersion(actor, sop, version));
    }
    // the address of a published SOP keeps the title of its first publication
    for (const sop of sops.values()) {
      const view = visibleVersion(actor, sop);
      add(sop.slug, view === "latest" || (view === "published" && sop.addressFixed === true));
    }
    for (const proposal of await store.collection("proposals").find({})) {
      const sop = proposal.sopId === null ? null : sops.get(proposal.sopId);
      // the path has the title of an SOP: its author pushed it
      const text = [proposal.path, proposal.text, proposal.comment ?? ""].join("\n");
      add(text, sop !== undefined && maySeeProposal(actor, proposal, sop));
    }
    return { all, allowed };
  }

  /** @returns how many words the views had */
  async function walk(roundsHere: number): Promise<number> {
    const company = await server().company();
    const admin = await company.user("company_admin");
    const [manager, other] = [await company.user("manager"), await company.user("manager")];
    const writers = [await company.user("editor"), await company.user("contributor"), manager];
    const readers = [...writers, other, await company.user("viewer"), await company.user("reviewer")];
    const addresses = new Map<TestUser, string>();
    for (const user of readers) addresses.set(user, await addressOf(company, user));
    const own = new Map(readers.map((user) => [user, new Set<string>()]));
    const written = (user: TestUser) => {
      const made = newWord();
      own.get(user)?.add(made);
      return made;
    };
    const bodyOf = (by: TestUser) => ({
      title: `T ${written(by)}`,
      description: "D",
      markdown: `One ${written(by)}.\n\nTwo ${written(by)}.\n`,
    });
    const ids: string[] = [];
    for (const by of [manager, manager, other, other]) {
      const { id } = await by.client.sops.create({ body: bodyOf(by) });
      ids.push(id);
      if (ids.length % 2 === 0) await by.client.sops.publish({ params: { id }, body: {} });
    }
    const [secret = ""] = ids;
    await admin.client.sops.restrict({ params: { id: secret }, body: { restricted: true } });
    const refused = () => undefined;
    let clones = 0;
    const cloneOf = async (user: TestUser) => {
      const at = path.join(dir, `clone-${++clones}`);
      await git(dir, "clone", "-q", addresses.get(user) ?? "", at);
      return at;
    };
    const open = async () => (await admin.client.proposals.list({ query: {} })).data;

    const changes: readonly (() => Promise<unknown>)[] = [
      // saves and publishes, and restricts or opens
      () => manager.client.sops.update({ params: { id: pick(ids) }, body: bodyOf(manager) }).catch(refused),
      () => other.client.sops.update({ params: { id: pick(ids) }, body: bodyOf(other) }).catch(refused),
      () => manager.client.sops.publish({ params: { id: pick(ids) }, body: {} }).catch(refused),
      () =>
        admin.client.sops
          .restrict({ params: { id: pick(ids) }, body: { restricted: pick([true, false]) } })
          .catch(refused),
      async () => {
        const [first] = await open();
        if (first) await admin.client.proposals.accept({ params: { id: first.id } }).catch(refused);
      },
      async () => {
        const [first] = await open();
        if (first) await admin.client.proposals.dismiss({ params: { id: first.id }, body: { reason: "No" } });
      },
    ];
    /** A push of a file that names an SOP by guess, and all that its author then reads. */
    const pushed = async () => {
      const user = pick(writers);
      const at = await cloneOf(user);
      const text = [
        `id: "${pick(ids)}"\nversion: ${pick([1, 1, 2, 3])}\ntitle: "T ${written(user)}"`,
        `title: "T ${written(user)}"`,
      ];
      write(at, "sops/uncategorized/guess.md", `---\n${pick(text)}\n---\n\nGuess ${written(user)}.\n`);
      // a deleted file proposes to archive its SOP, with the text that its author saw
      const [file] = readdirSync(path.join(at, "sops"), { recursive: true, encoding: "utf8" }).filter(
        (name) => name.endsWith(".md") && !name.endsWith("guess.md"),
      );
      if (file !== undefined && pick([true, false, false, false])) rmSync(path.join(at, "sops", file));
      await commit(at, `Note ${written(user)}`);
      const { stderr } = await push(at);
      rmSync(at, { recursive: true });
      return { user, text: stderr };
    };
    const cloned = async () => {
      const user = pick(readers);
      const at = await cloneOf(user);
      const { stderr } = await runGit(at, "fetch", "origin", "refs/proposals/*:refs/proposals/*");
      const objects = await git(at, "cat-file", "--batch-all-objects", "--batch", "--unordered");
      rmSync(at, { recursive: true });
      return { user, text: stderr + objects };
    };
    const asked = async () => {
      const user = pick(readers);
      const { proposals, notifications } = user.client;
      const { data } = await proposals.list({ query: { state: "all" } });
      const each = await Promise.all(data.map(({ id }) => proposals.get({ params: { id } })));
      const answers: unknown[] = [data, each, (await notifications.list({ query: {} })).data];
      const numbers = (await server().db.forCompany(company.id).collection("proposals").find({})).map(
        (one) => one.number,
      );
      for (const number of numbers)
        answers.push(await proposals.get({ params: { id: String(number) } }).catch((error: Error) => error.message));
      return { user, text: JSON.stringify(answers) };
    };

    let seen = 0;
    for (let round = 0; round < roundsHere; round += 1) {
      await pick(changes)();
      const { user, text } = await pick([pushed, pushed, cloned, asked])();
      const { all, allowed } = await wordsOf(company, user, own.get(user) ?? new Set());
      const found = [...new Set([...text.matchAll(word)].map(([one]) => one))];
      seen += found.length;
      expect([round, user.role, found.filter((one) => all.has(one) && !allowed.has(one))]).toEqual([
        round,
        user.role,
        [],
      ]);
    }
    // the walk has left proposals
    const proposals = server().db.forCompany(company.id).collection("proposals");
    expect(await proposals.countDocuments({})).toBeGreaterThan(0);
    expect(await proposals.countDocuments({ kind: "archive" })).toBeGreaterThan(0);
    return seen;
  }

  test(
    `never appear, in ${rounds} changes and views at random`,
    async () => {
      let seen = 0;
      for (let done = 0; done < rounds; done += roundsOfCompany)
        seen += await walk(Math.min(roundsOfCompany, rounds - done));
      recordFigure({ name: "views without words of others", value: rounds, unit: "views", goal: "= 5000" });
      // the walk has looked at texts
      expect(seen).toBeGreaterThan(rounds / 2);
    },
    4 * 3_600_000,
  );
});
