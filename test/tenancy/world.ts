/** Makes two companies with a record of each kind, and eight people in each company. */
import { createHash } from "node:crypto";
import { roles, type Role } from "#core/permissions/roles.ts";
import { declarations, type Collections } from "../../server/database/documents.ts";
import { sendNotice } from "../notices.ts";
import { propose } from "../propose.ts";
import type { Company, TestServer, TestUser } from "../server.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

export interface Tenant {
  company: Company;
  people: Record<Role, TestUser>;
  /** Kind → ids. */
  ids: Record<string, string[]>;
}

export async function createTenant(server: TestServer): Promise<Tenant> {
  const company = await server.company();
  await company.letApprove("viewer");
  const people = {} as Record<Role, TestUser>;
  for (const role of roles) people[role] = await company.user(role);
  const { client, send } = people.company_admin;
  const draft = await client.sops.create({ body: { title: "A draft", description: "D", markdown: "One\n" } });
  const published = await client.sops.create({
    body: { title: "In force", description: "D", markdown: "One\n", status: "published" },
  });
  const image = await send({
    method: "POST",
    path: "/api/assets",
    headers: { "content-type": "image/png" },
    // the bytes differ for each company, so that the companies don't share an asset
    body: Buffer.concat([png, Buffer.from(company.id)]),
  });
  const team = await client.teams.create({ body: { name: "Night shift" } });
  const token = await client.tokens.create({ body: { name: "ci" } });
  const invitation = await client.invitations.create({ body: { role: "viewer" } });
  const access = await client.sops.grant({
    params: { id: draft.id },
    body: { userId: people.viewer.id, permission: "read" },
  });
  const comment = await client.comments.create({ params: { id: published.id }, body: { content: "Why at night?" } });
  await client.acknowledgements.ask({
    params: { id: published.id },
    body: { userIds: [people.viewer.id], teamIds: [team.id], dueDays: 7 },
  });
  await people.viewer.client.acknowledgements.confirm({ params: { id: published.id }, body: { version: 1 } });
  const underReview = await client.sops.create({ body: { title: "Asked about", description: "D", markdown: "One\n" } });
  const approval = await client.sops.requestApproval({
    params: { id: underReview.id },
    body: { approverIds: [people.viewer.id] },
  });
  const rights = await client.companyPermissions.set({
    params: { id: people.editor.id },
    body: { permission: "sop.publish", granted: true },
  });
  const suggestion = await client.suggestions.create({ body: { title: "Greet visitors" } });
  const number = await propose(server.running.services, people.editor, { id: published.id, markdown: "Two\n" });
  const proposal = await client.proposals.get({ params: { id: String(number) } });
  const [category] = await client.categories.list();
  const [session] = await client.sessions.list();
  await sendNotice(server, [people.company_admin], { kind: "published", sopId: published.id });
  const [notice] = (await client.notifications.list({})).data;
  return {
    company,
    people,
    ids: {
      company: [company.id],
      user: [people.editor.id],
      sop: [draft.id, published.id, underReview.id],
      approval: [approval.id],
      suggestion: [suggestion.id],
      proposal: [proposal.id],
      category: [category?.id ?? ""],
      team: [team.id],
      token: [token.id],
      invitation: [invitation.id],
      session: [session?.id ?? ""],
      notification: [notice?.id ?? ""],
      asset: [(image.json() as { sha256: string }).sha256],
      comment: [comment.id],
      grant: access.permissions.map(({ id }) => id),
      userPermission: rights.permissions.map(({ id }) => id),
    },
  };
}

/** Collections in which probing may leave traces: the user, and the number of tries. */
const traces: ReadonlySet<string> = new Set(["audit_logs", "audit_checkpoints", "sessions", "idempotency"]);

/**
 * The documents to compare, without visits: the time of a user's visit is written a little later, and only the user's
 * own visits change it.
 */
const unless = (name: string) => (name === "sop_uses" ? { favorite: true } : {});
const settledValue = (key: string, value: unknown) => (key === "recentAt" ? undefined : value);

/** A digest of all data of a company. */
export async function fingerprint(server: TestServer, companyId: string): Promise<string> {
  // commits to git follow a write, and mark its event
  await server.running.services.repositories.drain(companyId);
  const digest = createHash("sha256");
  digest.update(JSON.stringify(await server.db.collection("companies").findOne({ _id: companyId })));
  for (const [name, { tenant }] of Object.entries(declarations)) {
    if (!tenant || traces.has(name)) continue;
    const documents = await server.db
      .forCompany(companyId)
      .collection(name as keyof Collections)
      .find(unless(name), { sort: { _id: 1 } });
    digest.update(`${name}\n${JSON.stringify(documents, settledValue)}\n`);
  }
  return digest.digest("hex");
}
