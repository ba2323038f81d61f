/** Colors code blocks and gives each one a Copy button. It loads only for texts with code. */
import "./code.css";
import { Check, Copy } from "lucide-react";
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { notOfTextAttribute } from "../../comments/not-of-text.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { colorCode } from "./colour-code.ts";
import type { DiagramProps } from "./Diagram.tsx";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("sops.view.code-blocks", {
  couldntCopy: "Couldn't copy",
  selectTheCodeAnd: "Select the code and copy it.",
  copyCode: "Copy code",
  copied: "Copied",
});

const Diagram = lazyPart<DiagramProps>(
  () => import("./Diagram.tsx").then((module) => module.Diagram),
  ({ tools }) => tools(),
);

/** @param text the element of the text; a changed text has a new element */
export function CodeBlocks({ text }: { text: HTMLElement }) {
  const frames = useMemo(() => [...text.querySelectorAll<HTMLElement>(".code-frame")], [text]);
  useEffect(() => colorCode(text), [text]);
  return frames.map((frame, at) => {
    const codeTools = (more?: ReactNode) => (
      <span {...{ [notOfTextAttribute]: "" }} data-print="hide" className="code-copy">
        <CopyCode frame={frame} />
        {more}
      </span>
    );
    const isDiagram = frame.querySelector("code.language-mermaid") !== null;
    return createPortal(isDiagram ? <Diagram frame={frame} tools={codeTools} /> : codeTools(), frame, String(at));
  });
}

function CopyCode({ frame }: { frame: HTMLElement }) {
  const toast = useToast();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(frame.querySelector("pre")?.textContent ?? "");
      setCopied(true);
    } catch {
      // Without https the browser offers no clipboard. With https it can refuse access.
      toast({ title: texts.couldntCopy, description: texts.selectTheCodeAnd, variant: "destructive" });
    }
  };
  return (
    <>
      <IconButton label={texts.copyCode} size="sm" variant="outline" onClick={() => void copy()}>
        {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
      </IconButton>
      <output className="sr-only">{copied && texts.copied}</output>
    </>
  );
}
