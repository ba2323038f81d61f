import { Eye } from "lucide-react";
import { useState } from "react";
import { templatesByTrade, tradeOfIndustry } from "#core/templates/trades.ts";
import { errorMessageOf, useRead, useWrite } from "../api.ts";
import { ImportPlace } from "../import/ImportPlace.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { Step } from "./Step.tsx";
import { texts } from "./texts.ts";

const TemplatePreview = lazyPart(() => import("./TemplatePreview.tsx").then((module) => module.TemplatePreview));

/** The number of templates chosen at first: few enough to finish. */
const chosenAtFirst = 3;

export function TemplatesStep({ onDone }: { onDone(): void }) {
  const company = useRead("company", "get", {});
  const library = useRead("templates", "list", {});
  const draft = useWrite("assistant", "draft");
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const [made, setMade] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [viewed, setViewed] = useState<{ id: string; title: string } | null>(null);
  const isReady = company.data !== undefined && library.data !== undefined;
  const ids = templatesByTrade[tradeOfIndustry(company.data?.industry ?? null)];
  const fitting = ids.flatMap((id) => library.data?.find((template) => template.id === id) ?? []);
  const marked = chosen ?? ids.slice(0, chosenAtFirst);
  const toggle = (id: string) => setChosen(marked.includes(id) ? marked.filter((one) => one !== id) : [...marked, id]);
  const addTemplates = async () => {
    setBusy(true);
    setFailure(null);
    try {
      // Drafts are created one after another in reading order. After a failure, a new attempt skips those already
      // created.
      for (const { id, title } of fitting) {
        if (!marked.includes(id) || made.includes(id)) continue;
        await draft.mutateAsync({ body: { prompt: title, template: id } });
        setMade((before) => [...before, id]);
      }
      onDone();
    } catch (error) {
      setFailure(errorMessageOf(error, texts.failed));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Step
      at={2}
      title={texts.templatesTitle}
      text={texts.templatesText}
      failure={failure}
      next={texts.add({ count: fitting.filter(({ id }) => marked.includes(id)).length })}
      busy={busy}
      disabled={!isReady}
      onNext={() => void addTemplates()}
      onSkip={onDone}
    >
      {library.isError || company.isError ? (
        <ErrorState title={texts.loadFailed} onRetry={() => void Promise.all([library.refetch(), company.refetch()])} />
      ) : isReady ? (
        <ul className="-mt-2 divide-y divide-line border-b border-line">
          {fitting.map(({ id, title, description, steps }) => (
            <li key={id} className="flex min-h-14 items-center gap-2">
              <label className="-ml-2 flex min-w-0 flex-1 items-center gap-3 self-stretch rounded-md px-2 py-1.5 text-sm hover:bg-sunken">
                <input
                  type="checkbox"
                  className="size-4 shrink-0 accent-primary"
                  checked={marked.includes(id)}
                  onChange={() => toggle(id)}
                />
                <span className="min-w-0 flex-1">
                  <span className="font-medium">{title}</span>
                  <span className="line-clamp-1 text-t2 text-muted">{description}</span>
                </span>
                <span className="shrink-0 text-t2 text-muted max-sm:hidden">{texts.steps({ count: steps })}</span>
              </label>
              <IconButton label={texts.view({ title })} onClick={() => setViewed({ id, title })}>
                <Eye aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      ) : (
        <div aria-hidden className="-mt-2 divide-y divide-line border-b border-line">
          {ids.map((id) => (
            <div key={id} className="flex h-14 items-center">
              <Skeleton className="h-4 w-2/3" />
            </div>
          ))}
        </div>
      )}
      <ImportPlace
        title={texts.documents}
        text={texts.documentsText}
        action={texts.chooseDocuments}
        className="rounded-md border border-dashed border-control px-4 py-3"
      />
      {viewed && <TemplatePreview {...viewed} onClose={() => setViewed(null)} />}
    </Step>
  );
}
