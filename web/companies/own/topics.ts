import { catalog } from "#core/language/catalog.ts";

/** The pages of the company's settings, in the order of the screen. */
const titles = catalog("companies.own.topics", {
  profile: "Profile",
  publishing: "Publishing",
  writing: "Writing rules",
  glossary: "Glossary",
  roles: "Roles",
  passwords: "Passwords",
  mirror: "Mirror",
  proof: "Proof",
  plan: "Plan and limits",
  ai: "AI",
});
export type CompanyTopicId = keyof typeof titles;
export const topicTitleOf = (id: CompanyTopicId): string => titles[id];

/** Topics that only company admins see, because they read data that other administrators can't. */
const companyAdminTopics: ReadonlySet<string> = new Set(["roles", "mirror"] satisfies CompanyTopicId[]);

/** Returns the topics that the user sees. @param mayChange true for company admins */
export function topicsFor(mayChange: boolean): { id: CompanyTopicId; title: string }[] {
  const ids = Object.keys(titles) as CompanyTopicId[];
  return ids.filter((id) => mayChange || !companyAdminTopics.has(id)).map((id) => ({ id, title: titles[id] }));
}
