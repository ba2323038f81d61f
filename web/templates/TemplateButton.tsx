import { FileStack } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/Button.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { texts } from "./texts.ts";

const TemplatesDialog = lazyPart(() => import("./TemplatesDialog.tsx").then((module) => module.TemplatesDialog));

/** The values of a template that a new SOP starts with. */
export interface TemplateValues {
  title: string;
  description: string;
  markdown: string;
  readTime: number;
  /** The category of a company's template; null for a template of the library. */
  categoryId: string | null;
  /** The id of the template, if it belongs to the company and not to the library. */
  copyOf?: string;
}

interface TemplateButtonProps {
  /** True if the template would replace typed text. */
  replaces: boolean;
  onChosen(text: TemplateValues): void;
}

export function TemplateButton({ replaces, onChosen }: TemplateButtonProps) {
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
