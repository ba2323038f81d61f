/** From what is pressed to how the registry writes it. */
import { isApple } from "../ui/Kbd.tsx";

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** `Mod+Shift+L`, `/`, `g`; null for what is no shortcut of ours: other modifiers, or a modifier alone. */
export function chordOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed, apple = isApple): string | null {
  const [mod, other] = apple ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  if (other || altKey || key.length !== 1) return null;
  if (mod) return `Mod+${shiftKey ? "Shift+" : ""}${key.toUpperCase()}`;
  return key;
}

const textless = new Set(["button", "checkbox", "color", "file", "image", "radio", "range", "reset", "submit"]);

/** Where the keys go: into a text of one line, of several, or none. */
export function fieldOf(target: EventTarget | null): "none" | "line" | "text" {
  if (!(target instanceof HTMLElement)) return "none";
  if (target.isContentEditable || target.tagName === "TEXTAREA") return "text";
  if (target.tagName === "SELECT") return "line";
  return target instanceof HTMLInputElement && !textless.has(target.type) ? "line" : "none";
}
