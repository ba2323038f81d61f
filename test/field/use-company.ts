/** Uses a company like its people do. */
import path from "node:path";
import type { PermittedAction } from "#core/permissions/actions.ts";
import { can } from "#core/permissions/can.ts";
import type { Role } from "#core/permissions/roles.ts";
import { hashOf } from "../../server/http/session.ts";
import { git, gitFolder, runGit } from "../git.ts";
import { isWrite, paramNames, rows } from "../contract-rows.ts";
import { exchange, type Exchange, type Received } from "../http.ts";
import { cookieOf, json, password } from "../server.ts";
import { commentOnce, type Made } from "./damaged-company.ts";

/** Contract rows that read without an id. With the reads of SOPs, the screens need no others. */
const reads = rows.filter(
  (row) =>
    !isWrite(row) &&
    paramNames(row).length === 0 &&
    row.route.access !== "public" &&
    row.route.access !== "companies.manage" &&
    row.route.kind !== "stream",
);
/** Reads of the rows that a user of this role can call, and the list of favorites. */
const readsOf = (role: Role) => [
  ...reads.flatMap(({ name, route: { access, path: at } }) => {
    const actor = { userId: "", companyId: "", role, teamIds: [], allow: [], deny: [] };
    // this row has no access rule, because its handler decides
    const action = name === "company.get" ? "company.settings" : access;
    return action === "user" || can(actor, action as PermittedAction) ? [at as string] : [];
  }),
  "/api/sops?favorite=true&limit=100",
];
/** The paths of an SOP's reads. */
const parts = ["", "/versions", "/comments", "/acknowledgements", "/reviews", "/permissions", "/links", "/presence"];

export interface Served {
  /** Undamaged items that the server refused or left out. */
  refused: string[];
  /** Answers about the damaged items themselves. */
  damaged: string[];
}

interface Using {
  url: string;
  made: Made;
  /** The ids and hashes of items that the server may refuse. */
  damaged: ReadonlySet<string>;
  served: Served;
  isServed(what: string, answer: Received, names?: readonly string[]): boolean;
}

type Ask = (at: string, request?: Omit<Exchange, "path">) => Promise<Received>;
type Person = Made["people"][number];

const asked = (url: string, cookie: string): Ask => {
  return (at, request = {}) =>
    exchange(url, { ...request, path: at, headers: { origin: url, ...json, cookie, ...request.headers } });
};

/** @param damaged the ids and hashes of items that the server may refuse */
export async function useCompany(url: string, made: Made, damaged: ReadonlySet<string>): Promise<Served> {
  const served: Served = { refused: [], damaged: [] };
  const isServed: Using["isServed"] = (what, answer, names = []) => {
    if (answer.status < 300) return true;
    const { code } = answer.json() as { code?: string };
    // an image is visible to readers of its SOP; an unreadable session or link counts as ended
    const isEnded = (code === "not_found" && what.startsWith("image")) || /^(?:session|link) /.test(what);
    // the number that the import reserved seems to be taken each time
    const isTaken = code === "busy" && what === "import";
    if ((code === "damaged" || isEnded || isTaken) && names.some((name) => damaged.has(name)))
      served.damaged.push(what);
    else served.refused.push(`${what}: ${answer.status} ${code ?? ""}`);
    return false;
  };
  const using: Using = { url, made, damaged, served, isServed };
  let isWorking = false;
  for (const person of made.people) {
    const ask = await signIn(using, person);
    if (ask === null) continue;
    await readAll(using, person, ask);
    if (isWorking || person === made.people.at(-1)) continue;
    isWorking = true;
    await work(using, ask);
  }
  const stranger = asked(url, "");
  const { reset, confirmation } = made.tokens;
  const linked = await stranger(`/api/auth/validate-reset-token?token=${reset}`);
  isServed("link to a new password", linked, [hashOf(reset)]);
  const confirmed = await stranger("/api/auth/confirm-email", {
    method: "POST",
    body: JSON.stringify({ token: confirmation }),
  });
  isServed("link to confirm", confirmed, [hashOf(confirmation)]);
  served.refused.push(...(await besides(url, made)));
  return served;
}

/** @returns the refusals of the other company's requests */
async function besides(url: string, { neighbor }: Made): Promise<string[]> {
  const ask = asked(url, neighbor.cookie);
  const body = JSON.stringify({ title: "Sweep", description: "D", markdown: "Sweep the hall.\n" });
  const answers = [
    await ask("/api/sops", { method: "POST", body }),
    await ask("/api/sops"),
    await ask("/api/stats/needs"),
  ];
  const { unreadable } = (answers.at(-1)?.json() ?? {}) as { unreadable?: number };
  return [
    ...answers.flatMap(({ status }) => (status < 300 ? [] : [`neighbor: ${status}`])),
    ...(unreadable === 0 ? [] : ["neighbor: told of another company's damage"]),
  ];
}

/** Signs in with the browser that the user had before, after a typo. */
async function signIn({ url, isServed }: Using, person: Person): Promise<Ask | null> {
  const { id, username, cookies, device } = person;
  for (const cookie of cookies)
    isServed(`session of ${username}`, await asked(url, cookie)("/api/auth/me"), [hashOf(cookie.slice(4)), id]);
  const login = (typed: string) =>
    asked(url, device)("/api/auth/login", { method: "POST", body: JSON.stringify({ username, password: typed }) });
  await login("a typo");
  const signedIn = await login(password);
  return isServed(`sign-in of ${username}`, signedIn, [id]) ? asked(url, cookieOf(signedIn)) : null;
}

async function readAll({ made, damaged, served, isServed }: Using, person: Person, ask: Ask): Promise<void> {
  const list = await ask("/api/sops?limit=100");
  if (isServed("list", list)) {
    const shown = new Set((list.json() as { data: { id: string }[] }).data.map(({ id }) => id));
    for (const { id } of made.sops) if (!shown.has(id) && !damaged.has(id)) served.refused.push(`list lacks ${id}`);
  }
  const own = readsOf(person === made.people.at(-1) ? "company_admin" : "manager");
  const names: Record<string, string[]> = {
    "/api/ai/usage": [person.id, made.companyId],
    "/api/company/mirror": ["a mirror"],
  };
  for (const at of own) isServed(at, await ask(at), names[at]);
  isServed("members", await ask(`/api/teams/${made.teamId}/members`), [made.teamId]);
  const [first] = made.sops;
  const { path: at, ...request } = commentOnce(first?.id ?? "");
  isServed("comment sent again", await ask(at, request), [first?.id ?? "", "a repeated request"]);
  const improved = { method: "POST", body: JSON.stringify({ markdown: "The valve is to be closed now." }) };
  isServed("AI", await ask("/api/ai/improve-sop", improved), [person.id, made.companyId]);
  await readEvents(ask, made.position);
}

/** Reads the later events, like a returning browser. */
async function readEvents(ask: Ask, position: string): Promise<void> {
  const ended = new AbortController();
  setTimeout(() => ended.abort(), 300);
  await ask("/api/events", { headers: { "last-event-id": position }, signal: ended.signal }).catch(() => undefined);
}

/** Does a user's work with SOPs. */
async function work({ url, made, damaged, served, isServed }: Using, ask: Ask): Promise<void> {
  for (const { id, word, versions } of made.sops) {
    for (const part of parts) isServed(`view ${id}${part}`, await ask(`/api/sops/${id}${part}`), [id]);
    for (let version = 1; version <= versions; version += 1)
      isServed(`version ${version} of ${id}`, await ask(`/api/sops/${id}/versions/${version}`), [id]);
    const found = await ask(`/api/search?q=${word}`);
    if (isServed(`search ${word}`, found) && !found.body.includes(id) && !damaged.has(id))
      served.refused.push(`search lacks ${word}`);
  }
  for (const { sha256, url: at } of made.images) isServed(`image ${sha256}`, await ask(at), [sha256]);
  for (const body of made.imported)
    isServed("import", await ask("/api/sops/import", { method: "POST", body }), ["an import"]);
  let isSaved = false;
  for (const { id, word } of made.sops) {
    if (damaged.has(id)) continue;
    const markdown = `# Steps\n\n1. Look at the ${word} twice.\n`;
    const saved = await ask(`/api/sops/${id}`, { method: "PUT", body: JSON.stringify({ markdown }) });
    isSaved = isServed(`save ${id}`, saved, [id]) || isSaved;
  }
  if (!isSaved) served.refused.push("no save");
  const token = await ask("/api/tokens", {
    method: "POST",
    body: JSON.stringify({ name: `git ${Date.now()}`, scopes: ["repo:read"] }),
  });
  if (isServed("token", token)) await clone(url, made, (token.json() as { token: string }).token, served);
}

/** Clones the repository. The first clone can meet damage, and the server then rebuilds the repository. */
async function clone(url: string, { slug }: Made, token: string, { refused }: Served): Promise<void> {
  const { dir, remove } = gitFolder();
  const address = `http://x:${token}@${new URL(url).host}/git/${slug}.git`;
  try {
    let last = "";
    for (let tries = 0; tries < 20; tries += 1) {
      const { code, stderr } = await runGit(dir, "clone", "-q", address, `clone-${tries}`);
      last = stderr;
      if (code !== 0) continue;
      await git(path.join(dir, `clone-${tries}`), "fsck", "--strict");
      return;
    }
    refused.push(`clone: ${last.slice(0, 200)}`);
  } finally {
    remove();
  }
}
