import { Check, Copy } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { tokenTexts } from "./texts.ts";

/** Only the server's hash of it is kept: this is the one look at it. */
export function ShownToken({ token, onClose }: { token: string; onClose(): void }) {
  const [copied, setCopied] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const copy = async () => {
    input.current?.select();
    try {
      await navigator.clipboard.writeText(token);
      setCopied(true);
    } catch {
      // refused by the browser: it stays selected, to be copied by hand
      setCopied(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={tokenTexts.shownTitle}
      description={tokenTexts.shownText}
      footer={
        <Button variant="primary" onClick={onClose}>
          {tokenTexts.done}
        </Button>
      }
    >
      <Field label={tokenTexts.shown}>
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              ref={input}
              readOnly
              value={token}
              autoComplete="off"
              className="font-mono"
              onFocus={(event) => event.target.select()}
            />
            <Button onClick={() => void copy()}>
              {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
              {copied ? tokenTexts.copied : tokenTexts.copy}
            </Button>
          </div>
        )}
      </Field>
      <output className="sr-only">{copied && tokenTexts.copiedStatus}</output>
    </Dialog>
  );
}
