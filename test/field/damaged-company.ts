/** Makes a small company with data in each place that stores data. */
import { createHash } from "node:crypto";
import { newId } from "#core/ids.ts";
import { fileTextOf } from "#core/markdown/front-matter.ts";
import { hashOf } from "../../server/http/session.ts";
import { makeCheckpoint } from "../../server/audit/checkpoints.ts";
import { unusedObjectKind } from "../../server/blobs/unused.ts";
import { enqueueOutboxItem } from "../../server/jobs/outbox.ts";
import { positionOf } from "../event-stream.ts";
import { sendNotice } from "../notices.ts";
import { pngOf } from "../images.ts";
import { propose } from "../propose.ts";
import { json, type TestServer, type TestUser } from "../server.ts";

export interface Made {
  companyId: string;
  slug: string;
  /**
   * Two managers, who can both do everything with SOPs, and a company administrator. The cookies are from before the
   * damage.
   */
  people: { id: string; username: string; cookies: string[]; device: string }[];
  sops: { id: string; word: string; versions: number }[];
  images: { sha256: string; url: string }[];
  teamId: string;
  /** A position before the first event, as a returning browser has it. */
  position: string;
  /** The tokens of unused links. */
  tokens: { reset: string; confirmation: string };
  /** The bodies of import requests, as sent. */
  imported: string[];
  /** Another company without damage. */
  neighbor: { companyId: string; cookie: string };
}

const words = ["valve", "boiler", "centrifuge", "conveyor", "forklift", "solvent"];

export async function makeCompany(server: TestServer): Promise<Made> {
  const company = await server.company();
  await company.letApprove("manager");
  const managers = [await company.user("manager"), await company.user("manager")];
  const admin = await company.user("company_admin");
  const people = [...managers, admin];
  const team = await admin.client.teams.create({ body: { name: "Night shift" } });
  for (const { id: userId } of managers)
    await admin.client.teams.addMember({ params: { id: team.id }, body: { userId } });
  const made: Pick<Made, "sops" | "images"> = { sops: [], images: [] };
  for (const [at, word] of words.entries()) {
    const author = managers[at % 2] ?? admin;
    const headers = { "content-type": "image/png" };
    const stored = await author.send({ method: "POST", path: "/api/assets", headers, body: pngOf(word) });
    const image = stored.json() as Made["images"][number];
    made.images.push(image);
    const markdown = `# Steps\n\n1. Look at the ${word}.\n\n![${word}](${image.url})\n`;
    const body = { title: `Check ${word}`, description: "D", markdown, reviewBy: "2026-06-20" };
    const { id } = await author.client.sops.create({ body });
    const isPublished = at % 3 !== 2;
    if (isPublished) await author.client.sops.publish({ params: { id }, body: {} });
    await author.client.sops.update({ params: { id }, body: { markdown: `${markdown}\nThe ${word} rests.\n` } });
    made.sops.push({ id, word, versions: isPublished ? 2 : 1 });
    await author.client.comments.create({ params: { id }, body: { content: `Is the ${word} warm?` } });
    for (const one of people) await one.client.sops.favorite({ params: { id } });
  }
  const rest = await addTheRest(server, { people, sops: made.sops, teamId: team.id });
  const { companies, repositories } = server.running.services;
  await repositories.drain(company.id);
  // this packs old objects; new ones stay loose
  await repositories.repack(company.id, true);
  const slug = (await companies.get(company.id))?.slug ?? "";
  const neighbors = await server.company();
  const { cookie } = await neighbors.user("manager");
  const neighbor = { companyId: neighbors.id, cookie };
  const position = positionOf(server, admin, 0);
  return { companyId: company.id, slug, teamId: team.id, position, neighbor, ...made, ...rest };
}

interface Given {
  people: TestUser[];
  sops: Made["sops"];
  teamId: string;
}

/** Adds documents beside SOPs and accounts: pending ones, confirmations, requests and counts. */
async function addTheRest(
  server: TestServer,
  { people, sops, teamId }: Given,
): Promise<Pick<Made, "people" | "tokens" | "imported">> {
  const [first, second, admin] = people;
  const [published, other, draft] = sops;
  if (!first || !second || !admin || !published || !other || !draft) throw new Error("the company is too small");
  const { services } = server.running;
  const { db, clock } = services;
  const at = clock.now();
  const { companyId } = first;
  const approverIds = [second.id];
  await first.client.sops.requestApproval({ params: { id: draft.id }, body: { approverIds } });
  const review = { verdict: "keep", reviewBy: "2026-06-25" } as const;
  await first.client.sops.review({ params: { id: other.id }, body: review });
  await admin.client.acknowledgements.ask({
    params: { id: published.id },
    body: { userIds: [first.id], teamIds: [teamId], dueDays: 7 },
  });
  await first.client.acknowledgements.confirm({ params: { id: published.id }, body: { version: 1 } });
  await propose(services, second, { id: published.id, markdown: "Look twice.\n" });
  await admin.client.invitations.create({ body: { role: "viewer" } });
  await admin.client.mirror.update({
    body: { url: "http://127.0.0.1:9/plant/sops.git", username: "git", token: "t" },
  });
  const imported = [importOf("Drain the tank", false), importOf("Fill the tank", true)];
  for (const body of imported) await first.send({ method: "POST", path: "/api/sops/import", headers: json, body });
  for (const user of people) {
    await user.client.tokens.create({ body: { name: "ci" } });
    await user.client.suggestions.create({ body: { title: `Greet visitors as ${user.username}` } });
    await user.client.ai.improveSop({ body: { markdown: "The valve is to be closed now." } });
    await sendNotice(server, [user], { kind: "published", sopId: published.id });
    await user.send({ path: "/api/search?q=zeppelins" });
    await user.client.presence.announce({ params: { id: other.id }, body: { tab: newId(), state: "here" } });
    await user.send(commentOnce(published.id));
  }
  await services.missed.flush();
  await server.running.deadlines.run();
  await server.running.sequencer.run();
  const { keys, config } = services;
  await makeCheckpoint({ db, clock, keys, dataDir: config.dataDir, announce: () => undefined }, companyId);
  // the mark of a user who has confirmed is never read again
  const marks = await db.collection("deadline_marks").find({});
  for (const { _id } of marks)
    if (_id.startsWith("acknowledge:") && _id.includes(first.id))
      await db.collection("deadline_marks").deleteOne({ _id });
  const devices = new Map<string, { device: string; cookie: string }>();
  for (const { id, username } of people) {
    await server.signIn(username, "not the password");
    const signedIn = await server.signIn(username);
    const cookies = signedIn.headers.all("set-cookie").map((one) => one.split(";")[0] ?? "");
    const named = (name: string) => cookies.find((one) => one.startsWith(name)) ?? "";
    devices.set(id, { device: named("device="), cookie: named("sid=") });
  }
  const tokens = { reset: "reset-token", confirmation: "confirmation-token" };
  const link = { userId: first.id, companyId, expiresAt: "2026-07-01T08:00:00.000Z", createdAt: at };
  await db
    .collection("password_resets")
    .insertOne({ _id: hashOf(tokens.reset), ...link, mailedTo: null, usedAt: null });
  const email = "first@example.org";
  await db.collection("users").updateOne({ _id: first.id }, { $set: { email } });
  await db.collection("email_confirmations").insertOne({ _id: hashOf(tokens.confirmation), ...link, email });
  // the work is due when the server starts again
  const dueAt = new Date(clock.millis() + 1_000).toISOString();
  for (const asset of ["one", "another"])
    await enqueueOutboxItem(db, { companyId, kind: unusedObjectKind, payload: { asset }, at, dueAt });
  return {
    tokens,
    imported,
    people: people.map(({ id, username, cookie }) => {
      const { device = "", cookie: later = "" } = devices.get(id) ?? {};
      return { id, username, cookies: [cookie, later], device };
    }),
  };
}

/** The request for a comment. It has the same key each time, so that it creates a single comment. */
export function commentOnce(sopId: string) {
  return {
    method: "POST",
    path: `/api/sops/${sopId}/comments`,
    headers: { ...json, "idempotency-key": "one comment" },
    body: JSON.stringify({ content: "Said once." }),
  };
}

/** The body to import a single document. @param reserveNumbers true to only reserve its number */
export function importOf(title: string, reserveNumbers: boolean, frontMatter = {}): string {
  const text = fileTextOf({ title, ...frontMatter }, "Text.\n");
  const document = { path: `${title}.md`, text, sha256: createHash("sha256").update(text).digest("hex") };
  return JSON.stringify({ importId: newId(), documents: [document], reserveNumbers });
}
