import { aiTexts, mailTexts, passwordTexts, profileTexts, sessionTexts, themeTexts, tokenTexts } from "./texts.ts";

/** The pages of a user's own settings, in the order of the screen. */
export const topics = [
  { id: "profile", title: profileTexts.title },
  { id: "password", title: passwordTexts.title },
  { id: "sessions", title: sessionTexts.title },
  { id: "tokens", title: tokenTexts.title },
  { id: "mail", title: mailTexts.title },
  { id: "appearance", title: themeTexts.title },
  { id: "ai", title: aiTexts.title },
] as const;
export type TopicId = (typeof topics)[number]["id"];
