import { useState } from "react";
import { hrefIfSafe } from "#core/markdown/links.ts";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { EditorDialog } from "./EditorDialog.tsx";
import { texts } from "./texts.ts";

const localPath = /^[#/?.]/;
const mailAddress = /^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/;

/** Matches a host with a port, such as "localhost:3000/x" or "intranet:8080", which is no scheme. */
const hostAndPort = /^(?!tel:|sms:|callto:)[a-z0-9.-]+:\d+(?:[/?#]|$)/i;
const scheme = /^[a-z][a-z0-9+.-]*:/i;

interface LinkDialogProps {
  /** The address of the link under the cursor; empty if there is no link. */
  href: string;
  text: string;
  onApply(href: string, text: string): void;
  onRemove(): void;
  onClose(): void;
  /** Called after the dialog has closed and the focus is lost. */
  onClosed(): void;
}

export function LinkDialog({ href, text, onApply, onRemove, onClose, onClosed }: LinkDialogProps) {
  const [address, setAddress] = useState(href);
  const [shown, setShown] = useState(text);
  const [error, setError] = useState<string>();

  const applyLink = (): void => {
    const complete = linkAddressOf(address);
    if (complete === null) setError(address.trim() === "" ? texts.linkMissing : texts.linkRefused);
    else onApply(complete, shown.trim());
  };

  return (
    <EditorDialog
      title={texts.linkTitle}
      extraActions={
        href !== "" && (
          <Button variant="ghost" className="mr-auto" onClick={onRemove}>
            {texts.linkRemove}
          </Button>
        )
      }
      onSubmit={applyLink}
      onClose={onClose}
      onClosed={onClosed}
    >
      <Field label={texts.linkAddress} hint={texts.linkHint} error={error}>
        {(control) => (
          <Input
            {...control}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type this
            autoFocus
            inputMode="url"
            autoComplete="off"
            value={address}
            onChange={(event) => setAddress(event.target.value)}
          />
        )}
      </Field>
      <Field label={texts.linkText} optional>
        {(control) => <Input {...control} value={shown} onChange={(event) => setShown(event.target.value)} />}
      </Field>
    </EditorDialog>
  );
}

/**
 * Returns the address to store for a typed link. `www.example.org` gets the protocol http, `ann@example.org` becomes a
 * mailto address, anchors and paths stay. Null for an empty text and for a scheme that isn't allowed.
 */
export function linkAddressOf(typed: string): string | null {
  // Browsers ignore these characters when they read a scheme.
  const address = typed.replace(/[\t\r\n]+/g, "").trim();
  if (address === "") return null;
  if (mailAddress.test(address)) return `mailto:${address}`;
  const known = localPath.test(address) || (scheme.test(address) && !hostAndPort.test(address));
  return hrefIfSafe(known ? address : `http://${address}`) ?? null;
}
