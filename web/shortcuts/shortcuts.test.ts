import { renderHook } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { shortcutText } from "../ui/Kbd.tsx";
import { keyChordOf, typingFieldOf } from "./keys.ts";
import { commands, type KeyboardCommand } from "./registry.ts";
import { useCommand, useShortcutKeys } from "./use-command.ts";

const pressed = (key: string, change: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...change,
});

describe("shortcuts", () => {
  it("are read from what is pressed, by the machine's own key", () => {
    expect(keyChordOf(pressed("k", { ctrlKey: true }), false)).toBe("Mod+K");
    expect(keyChordOf(pressed("k", { metaKey: true }), false)).toBeNull();
    expect(keyChordOf(pressed("k", { metaKey: true }), true)).toBe("Mod+K");
    expect(keyChordOf(pressed("k", { ctrlKey: true }), true)).toBeNull();
    expect(keyChordOf(pressed("L", { ctrlKey: true, shiftKey: true }), false)).toBe("Mod+Shift+L");
    expect(keyChordOf(pressed("?", { shiftKey: true }), false)).toBe("?");
    expect(keyChordOf(pressed("g"), false)).toBe("g");
    expect(keyChordOf(pressed("Enter"), false)).toBeNull();
    expect(keyChordOf(pressed("j", { altKey: true }), false)).toBeNull();
  });

  it("follow one another by when they were pressed, however late a busy page hears of them", () => {
    document.body.innerHTML = "";
    const run = vi.fn();
    renderHook(() => {
      useShortcutKeys();
      useCommand("pending", run);
    });
    const pressedKey = (key: string) => new KeyboardEvent("keydown", { key });
    const [first, second] = [pressedKey("g"), pressedKey("p")];
    vi.useFakeTimers({ toFake: ["Date"] });
    window.dispatchEvent(first);
    vi.setSystemTime(Date.now() + 10_000);
    window.dispatchEvent(second);
    vi.useRealTimers();
    expect(run).toHaveBeenCalledOnce();
  });

  it("know where letters are text", () => {
    const field = (html: string) => {
      document.body.innerHTML = html;
      return typingFieldOf(document.body.firstElementChild);
    };
    expect(["<input>", "<input type=search>", "<select></select>"].map(field)).toEqual(["line", "line", "line"]);
    expect(["<textarea></textarea>"].map(field)).toEqual(["text"]);
    expect(["<input type=checkbox>", "<button>x</button>", "<p>x</p>"].map(field)).toEqual(["none", "none", "none"]);
    expect(typingFieldOf(null)).toBe("none");
  });

  it("mean one thing in one place, and no sequence begins with another shortcut", () => {
    const all = Object.values(commands) as KeyboardCommand[];
    const own = all.filter(({ keys, sheetOnly }) => keys !== null && sheetOnly !== true);
    const keys = own.flatMap((command) => command.keys ?? []);
    const shared = own.filter((command) => own.some((other) => other !== command && other.keys === command.keys));
    // the edit screen has no sidebar, and no other screen has properties; a change to go to comes before a new SOP
    const { nextChange, newSop, sidebar, archiveChosen, remind, approve, reject, properties } = commands;
    expect(shared).toEqual([nextChange, newSop, sidebar, archiveChosen, remind, approve, reject, properties]);
    expect(new Set(shared.map((one) => `${one.keys} ${one.where}`)).size).toBe(shared.length);
    for (const sequence of keys.filter((one) => one.includes(" "))) {
      expect(keys).not.toContain(sequence.split(" ")[0]);
    }
  });

  it("are written as the machine says them", () => {
    expect(["Mod+Shift+L", "g d", "/", "Enter"].map(shortcutText)).toEqual(["Ctrl+Shift+L", "G then D", "/", "Enter"]);
  });
});
