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
export type TopicId = keyof typeof titles;
export const topicIds = Object.keys(titles) as TopicId[];
export const titleOf = (id: TopicId): string => titles[id];
