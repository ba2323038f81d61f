import { aiTexts, mailTexts, passwordTexts, profileTexts, sessionTexts, themeTexts, tokenTexts } from "./texts.ts";

/** The pages of a user's own settings, in the order of the screen. */
const pages = {
  profile: profileTexts,
  password: passwordTexts,
  sessions: sessionTexts,
  tokens: tokenTexts,
  mail: mailTexts,
  appearance: themeTexts,
  ai: aiTexts,
};
export type SettingsTopicId = keyof typeof pages;

export function settingsTopics(): { id: SettingsTopicId; title: string }[] {
  return (Object.keys(pages) as SettingsTopicId[]).map((id) => ({ id, title: pages[id].title }));
}
