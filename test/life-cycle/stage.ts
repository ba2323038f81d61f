/**
 * A company for each kind of document control. Each has a person of each role, a team, and a category that requires
 * approval.
 */
import { roles } from "#core/permissions/roles.ts";
import { defaultSettings } from "#core/companies/settings.ts";
import type { TestServer, TestUser } from "../server.ts";
import { approvingRule, type Category, type CompanyRules, type Person } from "./life.ts";

export type Rules = Pick<CompanyRules, "control" | "rule" | "allowSelfApproval">;

export const companyRuleSets: readonly Rules[] = [
  { control: "flexible", rule: { kind: "all", count: null }, allowSelfApproval: false },
  { control: "strict", rule: { kind: "any", count: null }, allowSelfApproval: false },
  { control: "strict", rule: { kind: "n_of_m", count: 2 }, allowSelfApproval: false },
  { control: "flexible", rule: { kind: "all", count: null }, allowSelfApproval: true },
];

export type Player = TestUser & Person;

export interface Stage {
  house: CompanyRules;
  categoryIds: Record<Category, string>;
  people: readonly Player[];
  /** Restores the start: the company's document control, and all people signed in. */
  reset(): Promise<void>;
}

export async function setStage(server: TestServer, rules: Rules): Promise<Stage> {
  const company = await server.company();
  const { control: documentControl, rule: approvalRule, allowSelfApproval } = rules;
  const settings = { ...defaultSettings, documentControl, approvalRule, allowSelfApproval };
  await company.set({ settings });
  const first = await company.user("company_admin");
  const { id: teamId } = await first.client.teams.create({ body: { name: "The team" } });
  const [plain, approving] = await first.client.categories.list();
  if (!plain || !approving) throw new Error("a company starts with categories");
  const body = { requiresApproval: true, approvalRule: approvingRule };
  await first.client.categories.update({ params: { id: approving.id }, body });
  const people: Player[] = [];
  for (const role of roles) {
    const teamIds = ["manager", "reviewer", "contributor"].includes(role) ? [teamId] : [];
    const user = await company.user(role, { teamIds });
    people.push({ ...user, actor: { userId: user.id, companyId: company.id, role, teamIds, allow: [], deny: [] } });
  }
  return {
    house: { ...rules, companyId: company.id, teamId, people },
    categoryIds: { plain: plain.id, approving: approving.id },
    people,
    async reset() {
      await company.set({ settings });
      await staySignedIn(server, company.id);
    },
  };
}

/** Extends the sessions, because they end when the clock advances by days and these lives don't test sign-in. */
export async function staySignedIn({ db, clock }: TestServer, companyId: string): Promise<void> {
  const now = clock.now();
  const expiresAt = new Date(clock.millis() + 1_000 * 24 * 3_600_000).toISOString();
  await db.collection("sessions").updateMany({ companyId }, { $set: { createdAt: now, lastSeenAt: now, expiresAt } });
}
