import { clsx } from "clsx";
import type { KeyboardEvent } from "react";

export const isApple = typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.userAgent);
const apple: Record<string, string> = { Mod: "⌘", Shift: "⇧", Alt: "⌥" };
const others: Record<string, string> = { Mod: "Ctrl" };

/** Returns keys as this computer names them: `Mod+Shift+L` becomes ⌘⇧L or Ctrl+Shift+L, `g d` becomes "G then D". */
export function shortcutText(keys: string): string {
  return keys.split(" ").map(chordText).join(" then ");
}

function chordText(chord: string): string {
  const names = isApple ? apple : others;
  return chord
    .split("+")
    .map((key) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key))
    .join(isApple ? "" : "+");
}

/**
 * Says whether `Mod+Enter` was pressed and no other handler, such as that of a comment field, has handled the press.
 */
export function isSendKey(event: KeyboardEvent): boolean {
  return event.key === "Enter" && (isApple ? event.metaKey : event.ctrlKey) && !event.isDefaultPrevented();
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
