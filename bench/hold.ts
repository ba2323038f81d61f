/**
 * `npm run bench -- hold`: the effect of one company's highest load on another. Each figure is next to that of the same
 * work on a quiet server, measured alternately in the same run. `hold:share` is this file; `hold:search` is
 * `search:load` with its rank test, `hold:rule` is `proof:rule` and `hold:days` is `proof:days`.
 */
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import sharp from "sharp";
import { readConfig } from "../server/config.ts";
import { openServices } from "../server/services.ts";
import { figureBesidePeer, type Figure } from "./figure.ts";
import type { Attack } from "./hold-attack.ts";
import { ask, documentOf, unique, type Answer, type Person } from "./hold-requests.ts";
import { fromTests } from "./proof.ts";
import { run as searchUnderLoad } from "./search.ts";
import { seedSops } from "./seed-sops.ts";
import { memoryMiB, startServer } from "./server-process.ts";

const quick = process.env["SOP_BENCH_QUICK"] === "1";
const rounds = quick ? 1 : 3;
const password = "a long bench password";

export async function* run(parts: readonly string[] = []): AsyncGenerator<Figure> {
  const wanted = (part: string) => parts.length === 0 || parts.includes(part);
  if (wanted("share")) yield* share();
  if (wanted("search")) yield* searchUnderLoad(["load"]);
  if (wanted("rule")) yield* await fromTests("test/rule");
  if (wanted("days")) yield* await fromTests("test/bad-days.test.ts");
}

async function sessionOf(url: string, call: "register" | "login", body: object): Promise<Person> {
  const answer = await fetch(`${url}/api/auth/${call}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify(body),
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(";")[0];
  if (!answer.ok || cookie === undefined) throw new Error(`${call}: ${answer.status} ${await answer.text()}`);
  return { url, cookie };
}

/** The actions of a person in the quiet company. Each call is new work, so that no cache answers it. */
const work: Record<string, { times: number; once: (person: Person, sopId: string) => Promise<Answer> }> = {
  preview: {
    times: 220,
    once: (person) => ask(person, "POST", "/api/sops/preview", { markdown: `# Hello\n\nStep ${unique()}.\n` }),
  },
  PDF: { times: 36, once: (person, id) => ask(person, "GET", `/api/sops/${id}/export?format=pdf`) },
  import: {
    times: 36,
    once: (person) =>
      ask(person, "POST", "/api/sops/import", {
        importId: crypto.randomUUID(),
        documents: [documentOf("1. Open it.\n")],
      }),
  },
  search: { times: 80, once: (person) => ask(person, "GET", "/api/search?q=valve") },
  list: { times: 150, once: (person) => ask(person, "GET", "/api/sops?limit=20") },
  "look at /healthz": { times: 200, once: (person) => ask(person, "GET", "/healthz") },
};

/** Another company causes the highest load it can, until stopped. */
function startAttack(attack: Attack): { stop(): Promise<void> } {
  const child = fork(new URL("./hold-attack.ts", import.meta.url));
  child.send(attack);
  return {
    async stop() {
      const ended = once(child, "exit");
      child.send("stop");
      await ended;
    },
  };
}

async function* share(): AsyncGenerator<Figure> {
  const dir = await mkdtemp(path.join(tmpdir(), "sopwright-hold-"));
  // with the product's default request limits
  const env = { DATA_DIR: dir, LOG_LEVEL: "fatal", DRAIN_SECONDS: "0", REQUESTS_PER_MINUTE: "1200" };
  const program = process.env["SOP_BENCH_SERVER"] ?? "dist/server/main.js";
  try {
    await seed(program, env);
    const server = await startServer(program, env);
    const signIn = (username: string) => sessionOf(server.url, "login", { username, password });
    // two for each round: a single user would reach the request limit per minute
    const quiet = await Promise.all(namesOf("quiet").map(signIn));
    const attackers = await Promise.all(namesOf("loud").map(signIn));
    const [first] = quiet as [Person];
    const sopId = await firstSop(first);
    await warm(first, sopId);
    // both printing processes: the first document after five minutes waits for its process, with or without load
    await Promise.all([first, ...attackers].flatMap((person) => Array.from({ length: 20 }, () => printOf(person))));
    // created after the prints above, which take the newest SOPs
    const withImages = await sopsWithImages(attackers[0] as Person);
    const alone: Record<string, number[]> = {};
    const attacked: Record<string, number[]> = {};
    let [timeouts, refusals] = [0, 0];
    const measure = async (victim: Person, into: Record<string, number[]>) => {
      for (const [name, { times, once }] of Object.entries(work)) {
        for (let n = 0; n < times; n++) {
          const started = performance.now();
          const answer = await once(victim, sopId).catch(() => null);
          (into[name] ??= []).push(performance.now() - started);
          if (answer === null) timeouts += 1;
          else if (answer.status >= 300) refusals += 1;
        }
      }
    };
    for (let round = 0; round < rounds; round++) {
      const [one, other] = quiet.slice(2 * round) as [Person, Person];
      await measure(one, alone);
      const attack = startAttack({ attackers, withImages });
      // first the queues fill
      await delay(3_000);
      await measure(other, attacked);
      await attack.stop();
      await delay(2_000);
    }
    const megabytes = memoryMiB(server.child.pid, "VmHWM");
    await server.stop();
    for (const name of Object.keys(work)) {
      const [during, before] = [p99(attacked[name] ?? []), p99(alone[name] ?? [])];
      yield figureBesidePeer(
        `hold: another company's ${name}, p99 beside a hostile company`,
        "ms",
        during,
        before,
        "≤ 3",
      );
    }
    if (megabytes !== null)
      yield { name: "hold: memory of the server, at most", value: megabytes, unit: "MB", goal: "≤ 1,000" };
    yield { name: "hold: timeouts of the quiet company", value: timeouts, unit: "requests", goal: "= 0" };
    yield { name: "hold: refusals of the quiet company", value: refusals, unit: "requests", goal: "= 0" };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function p99(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? Number.NaN;
}

/** The usernames of a company's people, the founder first. */
const namesOf = (company: "quiet" | "loud") =>
  Array.from({ length: company === "quiet" ? 2 * rounds : 4 }, (_, n) => (n === 0 ? company : `${company}-${n}`));

async function seed(program: string, env: Record<string, string>): Promise<void> {
  const server = await startServer(program, env);
  for (const username of ["quiet", "loud"])
    await sessionOf(server.url, "register", { username, password, name: `Person ${username}` });
  for (const company of ["quiet", "loud"] as const) {
    const [founder = "", ...others] = namesOf(company);
    const admin = await sessionOf(server.url, "login", { username: founder, password });
    for (const username of others) {
      const user = { username, name: `Person ${username}`, password, role: "editor" };
      const { status, body } = await ask(admin, "POST", "/api/company/users", user);
      if (status >= 300) throw new Error(body);
    }
  }
  await server.stop();
  const services = await openServices({ config: readConfig(env) });
  await seedSops(services, "quiet", 500);
  await seedSops(services, "loud", quick ? 500 : 2_000);
  await services.close();
}

/** Three texts, each with the same eight images of almost 5 MiB. */
async function sopsWithImages(person: Person): Promise<string[]> {
  const images: string[] = [];
  for (let n = 0; n < 8; n++) {
    const raw = { width: 1_270, height: 1_270, channels: 3 } as const;
    const noise = randomBytes(raw.width * raw.height * raw.channels);
    const body = await sharp(noise, { raw }).png({ compressionLevel: 1 }).toBuffer();
    const headers = { cookie: person.cookie, origin: person.url, "content-type": "image/png" };
    const answer = await fetch(`${person.url}/api/assets`, { method: "POST", headers, body: new Uint8Array(body) });
    if (!answer.ok) throw new Error(await answer.text());
    images.push(((await answer.json()) as { url: string }).url);
  }
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    const markdown = `Text ${n}\n\n${images.map((url) => `![noise](${url})\n`).join("\n")}`;
    const { status, body } = await ask(person, "POST", "/api/sops", {
      title: `Noise ${n}`,
      description: "Noise",
      markdown,
    });
    if (status >= 300) throw new Error(body);
    ids.push((JSON.parse(body) as { id: string }).id);
  }
  return ids;
}

async function firstSop(person: Person): Promise<string> {
  const { body } = await ask(person, "GET", "/api/sops?limit=1");
  return (JSON.parse(body) as { data: [{ id: string }] }).data[0].id;
}

async function printOf(person: Person): Promise<void> {
  await ask(person, "GET", `/api/sops/${await firstSop(person)}/export?format=pdf`);
}

/** Waits until repositories and indexes have caught up and threads have started: none of it is measured. */
async function warm(person: Person, sopId: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const { body } = await ask(person, "GET", "/api/repository");
    if ((JSON.parse(body) as { lag?: number }).lag === 0) break;
    await delay(300);
  }
  for (const [name, { once }] of Object.entries(work)) {
    const { status, body } = await once(person, sopId);
    if (status >= 300) throw new Error(`${name}: ${status} ${body.slice(0, 200)}`);
  }
}

if (process.argv[1] === import.meta.filename)
  for await (const figure of run(process.argv.slice(2))) console.log(JSON.stringify(figure));
