import type { ReactNode } from "react";
import { AiSection } from "./AiSection.tsx";
import { MailSection } from "./MailSection.tsx";
import { PasswordSection } from "./PasswordSection.tsx";
import { ProfileSection } from "./ProfileSection.tsx";
import { SessionsSection } from "./SessionsSection.tsx";
import { themeTexts } from "./texts.ts";
import type { TopicId } from "./topics.ts";
import { TokensSection } from "./TokensSection.tsx";
import { Monitor, Moon, Sun, type LucideIcon } from "lucide-react";
import { themes, useTheme, type Theme } from "../shell/theme.ts";
import { Section } from "./Section.tsx";

const icons: Record<Theme, LucideIcon> = { light: Sun, dark: Moon, system: Monitor };

function AppearanceSection() {
  const { choice, choose } = useTheme();
  return (
    <Section id="appearance" title={themeTexts.title}>
      <fieldset>
        <legend className="sr-only">{themeTexts.legend}</legend>
        <div className="grid gap-2 @md:grid-cols-3">
          {themes.map((theme) => {
            const Icon = icons[theme];
            return (
              <label
                key={theme}
                className="flex min-h-11 items-center gap-2.5 rounded-md border border-line px-3.5 hover:bg-sunken has-checked:border-primary has-checked:bg-primary-soft"
              >
                <input
                  type="radio"
                  name="theme"
                  value={theme}
                  checked={theme === choice}
                  onChange={() => choose(theme)}
                  className="size-4 accent-primary"
                />
                <Icon aria-hidden className="size-4 text-muted" />
                {themeTexts[theme]}
              </label>
            );
          })}
        </div>
      </fieldset>
    </Section>
  );
}

const pages: Record<TopicId, () => ReactNode> = {
  profile: ProfileSection,
  password: PasswordSection,
  sessions: SessionsSection,
  tokens: TokensSection,
  mail: MailSection,
  appearance: AppearanceSection,
  ai: AiSection,
};

/** The page of one topic. */
export function SettingsSections({ topic }: { topic: TopicId }) {
  const Page = pages[topic];
  return <Page />;
}
