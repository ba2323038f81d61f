import { clsx } from "clsx";

const isApple = typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.userAgent);
const apple: Record<string, string> = { Mod: "⌘", Shift: "⇧", Alt: "⌥" };
const others: Record<string, string> = { Mod: "Ctrl" };

/** `Mod+Shift+L` → ⌘⇧L or Ctrl+Shift+L, as the machine says it. */
export function shortcutText(keys: string): string {
  const names = isApple ? apple : others;
  return keys
    .split("+")
    .map((key) => names[key] ?? key)
    .join(isApple ? "" : "+");
}

export function Kbd({ keys, inverted = false }: { keys: string; inverted?: boolean }) {
  return (
    <kbd
      className={clsx(
        "rounded-sm border px-1 font-mono text-xs leading-4",
        inverted ? "border-bg/40 text-bg" : "border-line bg-sunken text-muted",
      )}
    >
      {shortcutText(keys)}
    </kbd>
  );
}
