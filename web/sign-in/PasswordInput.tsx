import { useState, type ComponentProps } from "react";
import { Input } from "../ui/Input.tsx";
import { texts } from "./texts.ts";

/** A password field that can show what was typed. */
export function PasswordInput(props: Omit<ComponentProps<"input">, "type">) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="relative">
      <Input
        {...props}
        type={isShown ? "text" : "password"}
        autoCapitalize="none"
        spellCheck={false}
        className="pr-16"
      />
      <button
        type="button"
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
        className="absolute inset-y-0.5 right-0.5 min-w-14 rounded-md px-2 text-sm text-muted hover:text-text"
      >
        {texts.show}
        <span className="sr-only"> {texts.password.toLowerCase()}</span>
      </button>
    </div>
  );
}
