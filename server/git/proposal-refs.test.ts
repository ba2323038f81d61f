/** `git fetch` of proposals: those that the user sees, with their state, and no object of any other. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { git, gitFolder, runGit } from "../../test/git.ts";
import { gitWriter } from "../../test/git-writer.ts";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";

describeServer("proposals in git", (server) => {
  let dir = "";
  let remove = () => {};
  beforeEach(() => ({ dir, remove } = gitFolder()));
  afterEach(() => remove());

  const { addressOf, publish, clone, edit, commit, push } = gitWriter(server, () => dir);
  const rinse = "sops/uncategorized/sop-0001-rinse-the-mill.md";
  const fetch = (at: string) => git(at, "fetch", "-q", "origin", "refs/proposals/*:refs/proposals/*");
  const refs = async (at: string) => (await git(at, "for-each-ref", "--format=%(refname)", "refs/proposals")).trim();
  const said = (at: string, ref: string) => git(at, "log", "-1", "--format=%an%n%B", ref);

  async function proposed(role: "contributor" | "editor") {
    const company = await server().company();
    const owner = await company.user("manager", { name: "Ada" });
    const author = await company.user(role, { name: "Bob" });
    const id = await publish(owner, "Rinse the mill", "Rinse it.\n");
    const at = await clone(company, author, "author");
    if (role === "editor") await owner.client.sops.update({ params: { id }, body: { markdown: "Rinse it well.\n" } });
    edit(at, rinse, "Rinse it.", "Rinse it twice.");
    await commit(at, "Rinse twice\n\nState: accepted");
    await push(at);
    return { company, owner, author, at, id };
  }
  const accept = (user: TestUser, id: string) => user.client.proposals.accept({ params: { id } });

  for (const role of ["contributor", "editor"] as const) {
    test(`the author (${role}) and those who decide see the text and, later, what became of it`, async () => {
      const { company, owner, author, at } = await proposed(role);
      const deciding = await clone(company, owner, "owner");
      for (const one of [at, deciding]) {
        await fetch(one);
        expect(await refs(one)).toBe("refs/proposals/1");
        // what looks like a state in the author's message isn't one
        expect(await said(one, "refs/proposals/1")).toBe(
          `Bob (${author.username})\nproposal 1: Rinse the mill\n\nRinse twice\n\n State: accepted\n\nProposal: 1\nState: open\n\n`,
        );
        const diff = await git(one, "show", "--format=", "refs/proposals/1");
        expect(diff.split("\n").filter((line) => /^[-+][^-+]/.test(line))).toEqual(["-Rinse it.", "+Rinse it twice."]);
        expect(await git(one, "fsck", "--strict")).toBe("");
      }
      expect(await git(at, "rev-parse", "refs/proposals/1")).toBe(await git(deciding, "rev-parse", "refs/proposals/1"));

      if (role === "contributor") await accept(owner, "1");
      else await owner.client.proposals.dismiss({ params: { id: "1" }, body: { reason: "It is planned" } });
      // without force: the ref goes forward
      for (const one of [at, deciding]) await fetch(one);
      expect(await said(at, "refs/proposals/1")).toBe(
        role === "contributor"
          ? `Ada (${owner.username})\nproposal 1: accepted as version 2\n\nProposal: 1\nState: accepted\nVersion: 2\n\n`
          : `Ada (${owner.username})\nproposal 1: dismissed\n\nIt is planned\n\nProposal: 1\nState: dismissed\n\n`,
      );
      expect(await git(at, "ls-remote", "origin", "refs/heads/*")).not.toContain("proposals");
    });
  }

  test("gives no object of a proposal to a user who doesn't see it, by name or by id", async () => {
    const { company, owner, author, at, id } = await proposed("contributor");
    await fetch(at);
    const objects = (await git(at, "rev-list", "--objects", "refs/proposals/1", "^origin/main")).split("\n");
    const ids = objects.flatMap((line) => /^[0-9a-f]{40}/.exec(line)?.[0] ?? []);
    const hidden: string[] = [];
    for (const oid of ids) {
      const known = await runGit(server().running.services.repositories.path(company.id), "cat-file", "-e", oid);
      if (known.code !== 0) hidden.push(oid);
    }
    expect(hidden.length).toBeGreaterThanOrEqual(4);
    const admin = await company.user("company_admin");
    const others = [await company.user("contributor"), await company.user("viewer"), await company.user("editor")];
    await admin.client.sops.restrict({ params: { id }, body: { restricted: true } });
    for (const user of others) await expectNone(company, user, hidden);
    // the owner of a restricted SOP still decides
    const deciding = await clone(company, owner, "owner");
    await fetch(deciding);
    expect(await refs(deciding)).toBe("refs/proposals/1");
    // its author keeps the own text, and no longer gets what it was made from
    const again = await clone(company, author, "again");
    await fetch(again);
    expect(await git(again, "log", "--format=%s", "refs/proposals/1")).toBe("proposal 1: Rinse the mill\n");
  });

  async function expectNone(company: Company, user: TestUser, hidden: readonly string[]): Promise<void> {
    const at = await clone(company, user);
    await fetch(at);
    expect([user.role, await refs(at)]).toEqual([user.role, ""]);
    const address = await addressOf(company, user);
    for (const oid of hidden) {
      for (const version of ["0", "2"]) {
        const { code, stderr } = await runGit(at, "-c", `protocol.version=${version}`, "fetch", address, oid);
        expect([user.role, version, code]).not.toEqual([user.role, version, 0]);
        expect(stderr).toMatch(/not our ref|unadvertised object|Server does not allow|remote error|couldn't find/i);
      }
    }
  }
});
