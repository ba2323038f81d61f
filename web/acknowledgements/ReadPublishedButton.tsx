import { useState } from "react";
import { Button } from "../ui/Button.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import type { Output } from "../api.ts";
import { texts } from "./texts.ts";

const PublishedTextDialog = lazyPart(() =>
  import("./PublishedTextDialog.tsx").then((module) => module.PublishedTextDialog),
);

interface ReadPublishedButtonProps {
  sopId: string;
  published: NonNullable<Output<"acknowledgements", "get">["inForce"]>;
  className: string;
  onConfirmed(): void;
}

/** A button for users who see a draft. It opens the published version, where they can confirm reading that version. */
export function ReadPublishedButton({ sopId, published, className, onConfirmed }: ReadPublishedButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" className={className} onClick={() => setOpen(true)}>
        {texts.openVersion({ version: published.version })}
      </Button>
      {isOpen && <PublishedTextDialog {...{ sopId, published, onConfirmed }} onClose={() => setOpen(false)} />}
    </>
  );
}
