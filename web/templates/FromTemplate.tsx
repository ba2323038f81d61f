import { FileStack } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/Button.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { texts } from "./texts.ts";

const TemplatesDialog = lazyPart(() => import("./TemplatesDialog.tsx").then((module) => module.TemplatesDialog));

/** What a new SOP takes over from a template. */
export interface TemplateText {
  title: string;
  description: string;
  markdown: string;
  readTime: number;
  /** A company's template has a category; one of the library has none. */
  categoryId: string | null;
  /** The id of a company's template. */
  copyOf?: string;
}

interface FromTemplateProps {
  /** Something is written that the template would replace. */
  replaces: boolean;
  onChosen(text: TemplateText): void;
}

export function FromTemplate({ replaces, onChosen }: FromTemplateProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="soft" onClick={() => setOpen(true)}>
        <FileStack aria-hidden />
        {texts.open}
      </Button>
      {open && (
        <TemplatesDialog
          title={texts.title}
          replaces={replaces}
          unusable={texts.unread}
          onClose={() => setOpen(false)}
          onChoose={async (entry, client) => {
            const text = await entry.open(client);
            setOpen(false);
            onChosen(text);
          }}
        />
      )}
    </>
  );
}
