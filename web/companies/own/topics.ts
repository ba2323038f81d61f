/** The pages of the company's settings, in the order of the screen. */
export const topics = [
  { id: "profile", title: "Profile" },
  { id: "publishing", title: "Publishing" },
  { id: "writing", title: "Writing rules" },
  { id: "glossary", title: "Glossary" },
  { id: "roles", title: "Roles" },
  { id: "passwords", title: "Passwords" },
  { id: "mirror", title: "Mirror" },
  { id: "proof", title: "Proof" },
  { id: "plan", title: "Plan and limits" },
  { id: "ai", title: "AI" },
] as const;
export type TopicId = (typeof topics)[number]["id"];
export const titleOf = (wanted: TopicId): string => topics.find(({ id }) => id === wanted)?.title ?? "";
