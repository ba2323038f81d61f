import { aiTexts, mailTexts, passwordTexts, profileTexts, sessionTexts, themeTexts, tokenTexts } from "./texts.ts";

/** In the order of the screen. */
export const sections = [
  { id: "ai", title: aiTexts.title },
  { id: "profile", title: profileTexts.title },
  { id: "password", title: passwordTexts.title },
  { id: "sessions", title: sessionTexts.title },
  { id: "tokens", title: tokenTexts.title },
  { id: "mail", title: mailTexts.title },
  { id: "appearance", title: themeTexts.title },
] as const;
