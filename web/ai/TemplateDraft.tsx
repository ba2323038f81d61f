import { useNavigate } from "react-router-dom";
import { useWrite } from "../api.ts";
import { TemplatesDialog } from "../templates/TemplatesDialog.tsx";
import { useToast } from "../ui/Toast.tsx";
import { templateTexts as texts } from "./texts.ts";

/** A template of the company's or the library's becomes a draft, open in the editor. No AI in it, with a key or without. */
export function TemplateDraft({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const toast = useToast();
  const draft = useWrite("assistant", "draft");
  const make = async (prompt: string, template: string | null): Promise<void> => {
    const made = await draft.mutateAsync({ body: { prompt, template } });
    toast({ title: texts.made, description: texts.madeFrom(made.rules.templateTitle) });
    onClose();
    void navigate(`/sop/${made.id}/edit`);
  };
  return (
    <TemplatesDialog
      title={texts.title}
      unusable={texts.failed}
      best={{ label: texts.best, choose: (words) => make(words, null) }}
      onChoose={({ id, title }) => make(title, id)}
      onClose={onClose}
    />
  );
}
