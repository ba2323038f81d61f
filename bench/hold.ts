/**
 * `npm run bench -- hold`: what one company notices while another does its worst. Each figure stands beside the same work
 * on a quiet server, measured in turns in the same run. `hold:share` is this file; the other parts run their own benches.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readConfig } from "../server/config.ts";
import { openServices } from "../server/services.ts";
import { beside, type Figure } from "./figure.ts";
import { fromTests } from "./proof.ts";
import { seedSops } from "./seed-sops.ts";
import { startServer } from "./server-process.ts";

const quick = process.env["SOP_BENCH_QUICK"] === "1";
const rounds = quick ? 1 : 3;
const password = "a long bench password";
/** No answer by then counts as a timeout. */
const patienceMs = 30_000;

export async function* run(parts: readonly string[] = []): AsyncGenerator<Figure> {
  const wanted = (part: string) => parts.length === 0 || parts.includes(part);
  if (wanted("share")) yield* share();
  if (wanted("days")) yield* await fromTests("test/bad-days.test.ts");
}

/** A signed-in person. */
interface Person {
  url: string;
  cookie: string;
}

interface Answer {
  status: number;
  body: string;
}

async function ask(person: Person, method: string, target: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(person.url + target, {
    method,
    headers: { cookie: person.cookie, origin: person.url, "content-type": "application/json" },
    signal: AbortSignal.timeout(patienceMs),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.text() };
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

/** What a person of the quiet company does; each call is new work, so that no cache answers it. */
const work: Record<string, { times: number; once: (person: Person, sopId: string) => Promise<Answer> }> = {
  preview: {
    times: 60,
    once: (person) => ask(person, "POST", "/api/sops/preview", { markdown: `# Hello\n\nStep ${unique()}.\n` }),
  },
  PDF: { times: 12, once: (person, id) => ask(person, "GET", `/api/sops/${id}/export?format=pdf`) },
  import: {
    times: 20,
    once: (person) =>
      ask(person, "POST", "/api/sops/import", {
        importId: crypto.randomUUID(),
        documents: [documentOf("1. Open it.\n")],
      }),
  },
  search: { times: 60, once: (person) => ask(person, "GET", "/api/search?q=valve") },
  list: { times: 100, once: (person) => ask(person, "GET", "/api/sops?limit=20") },
};

function documentOf(steps: string): { path: string; text: string; sha256: string } {
  const text = `# Import ${unique()}\n\n${steps}`;
  return { path: `${unique()}.md`, text, sha256: createHash("sha256").update(text).digest("hex") };
}

let made = 0;
const unique = () => `${process.pid}-${++made}`;

async function* share(): AsyncGenerator<Figure> {
  const dir = await mkdtemp(path.join(tmpdir(), "sopwright-hold-"));
  const env = { DATA_DIR: dir, LOG_LEVEL: "fatal", DRAIN_SECONDS: "0" };
  const program = process.env["SOP_BENCH_SERVER"] ?? "dist/server.js";
  try {
    await seed(program, env);
    const server = await startServer(program, env);
    const victim = await sessionOf(server.url, "login", { username: "quiet", password });
    const attackers = await Promise.all(
      ["loud", "loud-1", "loud-2", "loud-3"].map((username) => sessionOf(server.url, "login", { username, password })),
    );
    const sopId = await firstSop(victim);
    await warm(victim, sopId);
    const alone: Record<string, number[]> = {};
    const attacked: Record<string, number[]> = {};
    let [timeouts, refusals] = [0, 0];
    const measure = async (into: Record<string, number[]>) => {
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
      await measure(alone);
      const attack = startAttack(attackers);
      // the queues fill first
      await delay(3_000);
      await measure(attacked);
      await attack.stop();
      await delay(2_000);
    }
    await server.stop();
    for (const name of Object.keys(work)) {
      const [during, before] = [p99(attacked[name] ?? []), p99(alone[name] ?? [])];
      yield beside(`hold: another company's ${name}, p99 beside a hostile company`, "ms", during, before, "≤ 3");
    }
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

async function seed(program: string, env: Record<string, string>): Promise<void> {
  const server = await startServer(program, env);
  for (const username of ["quiet", "loud"])
    await sessionOf(server.url, "register", { username, password, name: `Person ${username}` });
  const loud = await sessionOf(server.url, "login", { username: "loud", password });
  for (const n of [1, 2, 3]) {
    const user = { username: `loud-${n}`, name: `Loud ${n}`, password, role: "editor" };
    const { status, body } = await ask(loud, "POST", "/api/company/users", user);
    if (status >= 300) throw new Error(body);
  }
  await server.stop();
  const services = await openServices({ config: readConfig(env) });
  await seedSops(services, "quiet", 500);
  await seedSops(services, "loud", quick ? 500 : 2_000);
  await services.close();
}

async function firstSop(person: Person): Promise<string> {
  const { body } = await ask(person, "GET", "/api/sops?limit=1");
  return (JSON.parse(body) as { data: [{ id: string }] }).data[0].id;
}

/** Repositories and indexes catch up, threads start: none of it is measured. */
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

/** Texts that take long to render, each of them new. */
const hostile = [
  () => `${"# a\n".repeat(50_000)}${unique()}`,
  () => `${"*a_ ".repeat(5_000)}${unique()}`,
  () => `${"- ".repeat(90)}${unique()}\n`.repeat(200),
  () => `${"| a | b |\n".repeat(20)}|-|-|\n${"| a | b |\n".repeat(10_000)}${unique()}`,
  () => `${"[a](b) ".repeat(20_000)}${unique()}`,
];

/** Everything at once that one company's users can start, without patience: what is refused is asked again at once. */
function startAttack(attackers: readonly Person[]): { stop(): Promise<void> } {
  const over = new AbortController();
  const loops: Promise<void>[] = [];
  const loop = (side: number, once: (person: Person, n: number) => Promise<unknown>) => {
    for (const [index, person] of attackers.entries()) {
      for (let n = 0; n < side; n++) {
        loops.push(
          (async () => {
            for (let turn = index + n; !over.signal.aborted; turn++) {
              await once(person, turn).catch(() => undefined);
              await delay(5);
            }
          })(),
        );
      }
    }
  };
  loop(6, (person, n) => ask(person, "POST", "/api/sops/preview", { markdown: hostile[n % hostile.length]?.() ?? "" }));
  loop(2, (person) => ask(person, "GET", "/api/search?q=check"));
  loop(2, (person) => ask(person, "GET", "/api/sops?limit=200"));
  loop(1, (person) => ask(person, "GET", "/api/sops?search=check&limit=200"));
  loop(1, async (person, n) => {
    const { body } = await ask(person, "GET", "/api/sops?limit=50");
    const { data } = JSON.parse(body) as { data: { id: string }[] };
    return ask(person, "GET", `/api/sops/${data[n % data.length]?.id}/export?format=pdf`);
  });
  loop(1, (person) =>
    ask(person, "POST", "/api/sops/import", {
      importId: crypto.randomUUID(),
      documents: Array.from({ length: 50 }, () => documentOf("1. Open it.\n".repeat(500))),
    }),
  );
  for (const person of attackers) loops.push(drip(person, over.signal));
  return {
    async stop() {
      over.abort();
      await Promise.all(loops);
    },
  };
}

/** An upload that never ends by itself, a byte at a time. */
async function drip({ url, cookie }: Person, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const upload = httpRequest(`${url}/api/sops/import/convert`, {
      method: "POST",
      headers: { cookie, origin: url, "content-type": "application/zip" },
    });
    let open = true;
    const ended = () => (open = false);
    upload.on("error", ended).on("close", ended);
    upload.on("response", (answer) => answer.resume().on("end", ended));
    while (open && !over.aborted) {
      upload.write(randomBytes(1));
      await delay(200);
    }
    upload.destroy();
    await delay(50);
  }
}

if (process.argv[1] === import.meta.filename)
  for await (const figure of run(process.argv.slice(2))) console.log(JSON.stringify(figure));
