/** The code of a text: coloured, and with a button that copies it. Loaded for texts that have some. */
import "./code.css";
import { Check, Copy } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { createPortal } from "react-dom";
import { notOfText } from "../../comments/not-of-text.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { colourCode } from "./colour-code.ts";

/** @param text another element for another text */
export function CodeBlocks({ text }: { text: HTMLElement }) {
  const frames = useMemo(() => [...text.querySelectorAll<HTMLElement>(".code-frame")], [text]);
  useEffect(() => colourCode(text), [text]);
  return frames.map((frame, at) => createPortal(<CopyCode frame={frame} />, frame, String(at)));
}

function CopyCode({ frame }: { frame: HTMLElement }) {
  const toast = useToast();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(frame.querySelector("pre")?.textContent ?? "");
      setCopied(true);
    } catch {
      // no clipboard without https, or refused
      toast({ title: "Couldn't copy", description: "Select the code and copy it.", variant: "destructive" });
    }
  };
  return (
    <span {...{ [notOfText]: "" }} data-print="hide" className="code-copy">
      <IconButton label="Copy code" size="sm" variant="outline" onClick={() => void copy()}>
        {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
      </IconButton>
      <output className="sr-only">{copied && "Copied"}</output>
    </span>
  );
}
