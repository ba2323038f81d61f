import { FileStack, Lightbulb, WandSparkles, type LucideIcon } from "lucide-react";
import { useId, useState } from "react";
import { useNavigate } from "react-router-dom";
import { useWrite } from "../api.ts";
import { TemplatesDialog } from "../templates/TemplatesDialog.tsx";
import { useToast } from "../ui/Toast.tsx";
import { ImproveDialog } from "./ImproveDialog.tsx";
import { SuggestForm } from "./SuggestForm.tsx";
import { texts, templateTexts, type PanelActor } from "./texts.ts";

type QuickAction = "template" | "improve" | "suggest";

const actions: readonly { name: QuickAction; Icon: LucideIcon; label: string }[] = [
  { name: "template", Icon: FileStack, label: texts.fromTemplate },
  { name: "improve", Icon: WandSparkles, label: texts.improve },
  { name: "suggest", Icon: Lightbulb, label: texts.suggest },
];

export function QuickActions({ by, disabled }: { by: PanelActor; disabled: boolean }) {
  const id = useId();
  const [chosen, setChosen] = useState<QuickAction | null>(null);
  const closeAction = () => setChosen(null);
  return (
    <section aria-labelledby={id} className="grid gap-2">
      <div className="flex flex-wrap justify-between gap-x-4 text-xs text-muted">
        <h3 id={id} className="font-semibold">
          {texts.actions}
        </h3>
        {by === "rules" && <p>{texts.byRules}</p>}
      </div>
      <ul className="divide-y divide-line rounded-md border border-line">
        {actions.map(({ name, Icon, label }) => (
          <li key={name}>
            <button
              type="button"
              disabled={disabled}
              {...(name === "suggest" && { "aria-expanded": chosen === name })}
              onClick={() => setChosen(chosen === name ? null : name)}
              className="flex min-h-10 w-full items-center gap-2.5 px-3 py-2 text-left font-medium transition-colors duration-150 not-disabled:hover:bg-sunken focus-visible:-outline-offset-2 disabled:cursor-not-allowed disabled:opacity-55 pointer-coarse:min-h-11"
            >
              <Icon aria-hidden className="size-4 shrink-0 text-muted" />
              {label}
            </button>
            {name === "suggest" && chosen === name && !disabled && <SuggestForm by={by} onDone={closeAction} />}
          </li>
        ))}
      </ul>
      {chosen === "template" && <TemplateDraftDialog onClose={closeAction} />}
      {chosen === "improve" && <ImproveDialog by={by} onClose={closeAction} />}
    </section>
  );
}

/**
 * Lets the user choose a template of the company or the library, creates a draft from it without AI and opens the
 * draft.
 */
function TemplateDraftDialog({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const toast = useToast();
  const draft = useWrite("assistant", "draft");
  const createDraft = async (prompt: string, template: string | null): Promise<void> => {
    const made = await draft.mutateAsync({ body: { prompt, template } });
    toast({ title: templateTexts.made, description: templateTexts.madeFrom({ template: made.rules.templateTitle }) });
    onClose();
    void navigate(`/sop/${made.id}/edit`);
  };
  return (
    <TemplatesDialog
      title={templateTexts.title}
      unusable={templateTexts.failed}
      best={{ label: (words) => templateTexts.best({ words }), choose: (words) => createDraft(words, null) }}
      onChoose={({ id, title }) => createDraft(title, id)}
      onClose={onClose}
    />
  );
}
