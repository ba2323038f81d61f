import { Check, Copy } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "./Button.tsx";
import { Field } from "./Field.tsx";
import { Input } from "./Input.tsx";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("ui.copy-field", {
  yourBrowserBlockedCopying: "Your browser blocked copying. Copy the selected text.",
  copy: "Copy",
  copied: "Copied",
});

interface CopyFieldProps {
  label: string;
  hint?: string;
  value: string;
  /** The text that screen readers announce after copying. */
  copiedStatus: string;
  className: string;
  /** True if the field takes the focus when it appears. */
  takesFocus?: boolean;
}

/** A value with a button to copy it. */
export function CopyField({ label, hint, value, copiedStatus, className, takesFocus = false }: CopyFieldProps) {
  const [outcome, setOutcome] = useState<"copied" | "refused" | null>(null);
  const copied = outcome === "copied";
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  const copy = async () => {
    input.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      setOutcome("copied");
    } catch {
      // The browser refused to copy. The value stays selected, so that the user can copy it by hand.
      setOutcome("refused");
    }
  };
  return (
    <>
      <Field
        label={label}
        {...(hint !== undefined && { hint })}
        error={outcome === "refused" ? texts.yourBrowserBlockedCopying : undefined}
      >
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              ref={input}
              readOnly
              value={value}
              autoComplete="off"
              className={className}
              onFocus={(event) => event.target.select()}
            />
            <Button onClick={() => void copy()} className="min-w-24">
              {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
              {copied ? texts.copied : texts.copy}
            </Button>
          </div>
        )}
      </Field>
      <output className="sr-only">{copied && copiedStatus}</output>
    </>
  );
}
