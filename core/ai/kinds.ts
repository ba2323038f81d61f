/** The purposes of AI calls. No zod in here: browsers load it. */
export const aiKinds = ["generate", "improve", "enhance", "suggest"] as const;
export type AiKind = (typeof aiKinds)[number];
