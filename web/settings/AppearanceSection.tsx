import { Monitor, Moon, Sun, type LucideIcon } from "lucide-react";
import { themes, useTheme, type Theme } from "../shell/theme.ts";
import { Section } from "./Section.tsx";
import { themeTexts } from "./texts.ts";

const icons: Record<Theme, LucideIcon> = { light: Sun, dark: Moon, system: Monitor };

export function AppearanceSection() {
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
