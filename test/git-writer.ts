/** An author with native git: clones, edits, commits and pushes. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import type { TokenScope } from "#core/tokens/scopes.ts";
import { git, runGit } from "./git.ts";
import type { Company, TestServer, TestUser } from "./server.ts";

/** @param dir the folder of clones */
export function gitWriter(server: () => TestServer, dir: () => string) {
  const addressOf = async (company: Company, user: TestUser, scopes: TokenScope[] = ["repo:read", "repo:push"]) => {
    const { token } = await user.client.tokens.create({ body: { name: "git", scopes } });
    const slug = (await server().running.services.companies.get(company.id))?.slug ?? "";
    return `http://x:${token}@${new URL(server().url).host}/git/${slug}.git`;
  };
  const publish = async (user: TestUser, title: string, markdown: string) => {
    const { id } = await user.client.sops.create({ body: { title, description: "D", markdown } });
    return (await user.client.sops.publish({ params: { id }, body: {} })).id;
  };
  const clone = async (company: Company, user: TestUser, name = user.username, scopes?: TokenScope[]) => {
    await git(dir(), "clone", "-q", await addressOf(company, user, scopes), name);
    return path.join(dir(), name);
  };
  const write = (at: string, file: string, text: string | Buffer) => {
    mkdirSync(path.dirname(path.join(at, file)), { recursive: true });
    writeFileSync(path.join(at, file), text);
  };
  const edit = (at: string, file: string, from: string | RegExp, to: string) => {
    const text = readFileSync(path.join(at, file), "utf8");
    expect(text).toMatch(from);
    write(at, file, text.replace(from, to));
  };
  const commit = async (at: string, message = "Change") => {
    await git(at, "add", "-A");
    await git(at, "commit", "-q", "--allow-empty", "-m", message);
  };
  /** Pushes. `remote` has the lines for the user, without git's own lines. */
  const push = async (at: string, ...refs: string[]) => {
    const { code, stderr } = await runGit(at, "push", "origin", ...(refs.length > 0 ? refs : ["HEAD:refs/for/main"]));
    const remote = stderr.split("\n").flatMap((line) => /^remote: (.*?) *$/.exec(line)?.[1] ?? []);
    return { code, stderr, remote: remote.filter(Boolean) };
  };
  const titles = async (user: TestUser) =>
    (await user.client.sops.list({ query: {} })).data.map(({ title }) => title).sort();
  return { addressOf, publish, clone, write, edit, commit, push, titles };
}
