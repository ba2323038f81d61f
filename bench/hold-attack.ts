/**
 * A separate process: a company that causes the highest load it can, from other machines than the server's. Ends when
 * its parent tells it to.
 */
import { randomBytes } from "node:crypto";
import { request as httpRequest } from "node:http";
import { constants, setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { ask, documentOf, receive, unique, type Person } from "./hold-requests.ts";

/** Texts that are slow to render, each of them new. */
const hostile = [
  () => `${"# a\n".repeat(50_000)}${unique()}`,
  () => `${"*a_ ".repeat(5_000)}${unique()}`,
  () => `${"- ".repeat(90)}${unique()}\n`.repeat(200),
  () => `${"| a | b |\n".repeat(20)}|-|-|\n${"| a | b |\n".repeat(10_000)}${unique()}`,
  () => `${"[a](b) ".repeat(20_000)}${unique()}`,
];

export interface Attack {
  attackers: readonly Person[];
  /** SOPs with large images, each with its own text. */
  withImages: readonly string[];
}

const formats = ["html", "pdf", "docx"] as const;

/** Everything that one company's users can start at once. Refused requests are repeated immediately. */
async function attack({ attackers, withImages }: Attack, over: AbortSignal): Promise<void> {
  const loops: Promise<void>[] = [];
  const loop = (side: number, once: (person: Person, n: number) => Promise<unknown>) => {
    for (const [index, person] of attackers.entries()) {
      for (let n = 0; n < side; n++) {
        loops.push(
          (async () => {
            for (let turn = index + n; !over.aborted; turn++) {
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
  // each attacker requests each format
  loop(formats.length, (person, n) => {
    const id = withImages[n % withImages.length];
    return receive(person, `/api/sops/${id}/export?format=${formats[n % formats.length]}`);
  });
  loop(1, (person) =>
    ask(person, "POST", "/api/sops/import", {
      importId: crypto.randomUUID(),
      documents: Array.from({ length: 50 }, () => documentOf("1. Open it.\n".repeat(500))),
    }),
  );
  for (const person of attackers) loops.push(drip(person, over));
  await Promise.all(loops);
}

/** An upload that never ends: a byte at a time. */
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

// the attackers' work must not take processor time from the server
setPriority(constants.priority.PRIORITY_LOW);
const over = new AbortController();
process.once("message", (wanted: Attack) => {
  process.once("message", () => over.abort());
  void attack(wanted, over.signal).then(() => process.disconnect());
});
