import type { ReactNode } from "react";
import { AiSection } from "./AiSection.tsx";
import { AppearanceSection } from "./AppearanceSection.tsx";
import { MailSection } from "./MailSection.tsx";
import { PasswordSection } from "./PasswordSection.tsx";
import { ProfileSection } from "./ProfileSection.tsx";
import { SessionsSection } from "./SessionsSection.tsx";
import { TokensSection } from "./TokensSection.tsx";
import type { SettingsTopicId } from "./topics.ts";

const pages: Record<SettingsTopicId, () => ReactNode> = {
  profile: ProfileSection,
  password: PasswordSection,
  sessions: SessionsSection,
  tokens: TokensSection,
  mail: MailSection,
  appearance: AppearanceSection,
  ai: AiSection,
};

/** The page of one topic. */
export function SettingsSections({ topic }: { topic: SettingsTopicId }) {
  const Page = pages[topic];
  return <Page />;
}
