/** What a new company starts with (`design/domain.md`; colours of seed §2). */
export const startingCategories = [
  { name: "HR Procedures", slug: "hr-procedures", color: "primary" },
  { name: "Safety Protocols", slug: "safety-protocols", color: "secondary" },
  { name: "IT Operations", slug: "it-operations", color: "accent" },
  { name: "Finance", slug: "finance", color: "warning" },
] as const;
