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
export const topicIds = Object.keys(titles) as CompanyTopicId[];
export const topicTitleOf = (id: CompanyTopicId): string => titles[id];
