import { useIsFetching } from "@tanstack/react-query";
import { clsx } from "clsx";
import { useEffect, useRef, useState } from "react";
import { AiSection } from "./AiSection.tsx";
import { MailSection } from "./MailSection.tsx";
import { PasswordSection } from "./PasswordSection.tsx";
import { ProfileSection } from "./ProfileSection.tsx";
import { SessionsSection } from "./SessionsSection.tsx";
import {
  texts,
  aiTexts,
  mailTexts,
  passwordTexts,
  profileTexts,
  sessionTexts,
  themeTexts,
  tokenTexts,
} from "./texts.ts";
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
        <div className="grid gap-2 sm:grid-cols-3">
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

/** In the order of the screen. */
const sections = [
  { id: "profile", title: profileTexts.title },
  { id: "password", title: passwordTexts.title },
  { id: "sessions", title: sessionTexts.title },
  { id: "tokens", title: tokenTexts.title },
  { id: "mail", title: mailTexts.title },
  { id: "appearance", title: themeTexts.title },
  { id: "ai", title: aiTexts.title },
] as const;

const ids = sections.map(({ id }) => id);

/** A user's own settings: each section saves on its own. */
export function SettingsSections() {
  useArrivalAtSection();
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[10rem_minmax(0,40rem)] lg:gap-12">
      <SectionLinks />
      <div className="grid min-w-0 gap-10">
        <ProfileSection />
        <PasswordSection />
        <SessionsSection />
        <TokensSection />
        <MailSection />
        <AppearanceSection />
        <AiSection />
      </div>
    </div>
  );
}

function SectionLinks() {
  const current = useSectionInView(ids);
  return (
    <nav aria-label={texts.sections} className="lg:sticky lg:top-20">
      <ul className="-mx-2 flex flex-wrap gap-1 lg:grid lg:gap-0.5">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === current ? "location" : undefined}
              className={clsx(
                "flex min-h-8 items-center rounded-md px-2 pointer-coarse:min-h-11",
                id === current ? "bg-sunken font-medium" : "text-muted hover:bg-sunken",
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

/** A link to a section (`/settings#tokens`) arrives before the section is there, and before those above have their height. */
function useArrivalAtSection() {
  const isFetching = useIsFetching() > 0;
  const progress = useRef<"new" | "loading" | "arrived">("new");
  useEffect(() => {
    if (progress.current === "arrived") return;
    const id = window.location.hash.slice(1);
    if (id) document.getElementById(id)?.scrollIntoView();
    if (isFetching) progress.current = "loading";
    else if (progress.current === "loading") progress.current = "arrived";
  }, [isFetching]);
}

/** The first of these elements that the upper half of the window shows, as a table of contents marks it. */
function useSectionInView(ids: readonly string[]): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  useEffect(() => {
    const shown = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (isIntersecting) shown.add(target.id);
          else shown.delete(target.id);
        }
        setCurrent((last) => ids.find((id) => shown.has(id)) ?? last);
      },
      { rootMargin: "-72px 0px -50% 0px" },
    );
    for (const id of ids) {
      const element = document.getElementById(id);
      if (element) observer.observe(element);
    }
    return () => observer.disconnect();
  }, [ids]);
  return current;
}
