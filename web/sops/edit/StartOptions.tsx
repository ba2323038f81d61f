/** Offers other ways to start below an empty text, such as a template. They disappear once there is text. */
import { FileUp, ListOrdered } from "lucide-react";
import { useState } from "react";
import { TemplateButton, type TemplateValues } from "../../templates/TemplateButton.tsx";
import { Button } from "../../ui/Button.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { beginTexts as texts } from "./edit-texts.ts";

const ImportDialog = lazyPart(() => import("../../import/ImportDialog.tsx").then((module) => module.ImportDialog));

interface StartOptionsProps {
  /** True if a template would replace typed text. */
  replaces: boolean;
  onSteps(): void;
  onTemplate(text: TemplateValues): void;
}

export function StartOptions({ replaces, onSteps, onTemplate }: StartOptionsProps) {
  const [isImporting, setImporting] = useState(false);
  return (
    <section aria-labelledby="begin-with" className="grid justify-items-start gap-1 [&_button]:-ml-3">
      <h2 id="begin-with" className="mb-1 text-t2 text-muted">
        {texts.heading}
      </h2>
      <Button variant="soft" onClick={onSteps}>
        <ListOrdered aria-hidden />
        {texts.steps}
      </Button>
      <TemplateButton replaces={replaces} onChosen={onTemplate} />
      <Button variant="soft" onClick={() => setImporting(true)}>
        <FileUp aria-hidden />
        {texts.file}
      </Button>
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
    </section>
  );
}
