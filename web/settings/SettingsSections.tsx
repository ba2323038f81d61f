import { clsx } from "clsx";
import { AiSection } from "./AiSection.tsx";
import { AppearanceSection } from "./AppearanceSection.tsx";
import { MailSection } from "./MailSection.tsx";
import { PasswordSection } from "./PasswordSection.tsx";
import { ProfileSection } from "./ProfileSection.tsx";
import { sections } from "./sections.ts";
import { SessionsSection } from "./SessionsSection.tsx";
import { texts } from "./texts.ts";
import { TokensSection } from "./TokensSection.tsx";
import { useArrivalAtSection } from "./use-arrival-at-section.ts";
import { useSectionInView } from "./use-section-in-view.ts";

const ids = sections.map(({ id }) => id);

/** A user's own settings: each section saves on its own. */
export function SettingsSections() {
  useArrivalAtSection();
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[12rem_minmax(0,48rem)] lg:gap-10">
      <SectionLinks />
      <div className="grid min-w-0 gap-6">
        <AiSection />
        <ProfileSection />
        <PasswordSection />
        <SessionsSection />
        <TokensSection />
        <MailSection />
        <AppearanceSection />
      </div>
    </div>
  );
}

function SectionLinks() {
  const current = useSectionInView(ids);
  return (
    <nav aria-label={texts.sections} className="lg:sticky lg:top-20">
      <ul className="flex flex-wrap gap-1.5 lg:grid lg:gap-0.5">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === current ? "location" : undefined}
              className={clsx(
                "flex min-h-8 items-center rounded-md border border-line px-2.5 lg:border-transparent pointer-coarse:min-h-11",
                id === current ? "bg-primary-soft font-medium text-primary" : "hover:bg-sunken",
              )}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
