import { Check, Copy } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";
import { Field } from "./Field.tsx";
import { Input } from "./Input.tsx";

interface OneTimeLinkDialogProps {
  title: string;
  /** For whom it is, what it does, how long it works. */
  description: string;
  /** A path of this site, or a whole address. */
  link: string;
  onClose(): void;
}

/** A link that is shown once, to be handed over by hand. */
export function OneTimeLinkDialog({ title, description, link, onClose }: OneTimeLinkDialogProps) {
  const [copied, setCopied] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // past the button that closes it: a stray Enter must not lose what is shown only once
  useEffect(() => input.current?.focus(), []);
  const address = new URL(link, window.location.href).href;
  const copy = async () => {
    input.current?.select();
    try {
      await navigator.clipboard.writeText(address);
      setCopied(true);
    } catch {
      // refused by the browser: the link stays selected, to be copied by hand
      setCopied(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={description}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <Field label="One-time link" hint="It is shown only now. Whoever has it can use it: send it to nobody else.">
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              ref={input}
              readOnly
              value={address}
              className="font-mono text-xs"
              onFocus={(event) => event.target.select()}
            />
            <Button onClick={() => void copy()}>
              {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
              {copied ? "Copied" : "Copy"}
            </Button>
          </div>
        )}
      </Field>
      <output className="sr-only">{copied && "The link is copied"}</output>
    </Dialog>
  );
}
