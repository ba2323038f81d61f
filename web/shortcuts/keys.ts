/** Converts a key press to the notation of the registry. */
import { isApple } from "../ui/Kbd.tsx";

type PressedKey = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** Returns a key press as `Mod+Shift+L`, `/` or `g`; null for other modifiers or a modifier alone. */
export function keyChordOf({ key, ctrlKey, metaKey, altKey, shiftKey }: PressedKey, apple = isApple): string | null {
  const [mod, other] = apple ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  if (other || altKey || key.length !== 1) return null;
  if (mod) return `Mod+${shiftKey ? "Shift+" : ""}${key.toUpperCase()}`;
  return key;
}

const inputTypesWithoutText = new Set([
  "button",
  "checkbox",
  "color",
  "file",
  "image",
  "radio",
  "range",
  "reset",
  "submit",
]);

/** Returns the kind of field that gets the typed keys: a single line, several lines, or none. */
export function typingFieldOf(target: EventTarget | null): "none" | "line" | "text" {
  if (!(target instanceof HTMLElement)) return "none";
  if (target.isContentEditable || target.tagName === "TEXTAREA") return "text";
  if (target.tagName === "SELECT") return "line";
  return target instanceof HTMLInputElement && !inputTypesWithoutText.has(target.type) ? "line" : "none";
}
