import { useId, useState } from "react";
import { Link } from "react-router-dom";
import { errorMessageOf, messageText, useRead, useWrite, type Output } from "../api.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { useToast } from "../ui/Toast.tsx";
import { suggestTexts as texts, templateTexts, texts as common } from "./texts.ts";

type Suggestion = Output<"suggestions", "list">[number];

interface SuggestionsProps {
  onAccepted(draft: { id: string; title: string }): void;
}

const shownAtFirst = 4;

/** Lists suggestions for missing SOPs, each with its reason and whether AI or rules made it. */
export function Suggestions({ onAccepted }: SuggestionsProps) {
  const id = useId();
  const list = useRead("suggestions", "list", { query: { status: "pending" } });
  const [isAll, setIsAll] = useState(false);
  const shown = isAll ? list.data : list.data?.slice(0, shownAtFirst);
  return (
    <section aria-labelledby={id} aria-busy={list.isPending} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 id={id} className="text-xs font-semibold text-muted">
        {texts.recent}
      </h3>
      {shown ? (
        <>
          {shown.length === 0 && <p className="text-muted">{texts.none}</p>}
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-2 empty:hidden">
            {shown.map((suggestion) => (
              <SuggestionEntry key={suggestion.id} suggestion={suggestion} onAccepted={onAccepted} />
            ))}
          </ul>
          {list.data && list.data.length > shown.length && (
            <Button variant="link" size="sm" className="justify-self-start" onClick={() => setIsAll(true)}>
              {texts.showAll({ count: list.data.length })}
            </Button>
          )}
        </>
      ) : list.isError ? (
        <ErrorState title={texts.loadFailed} onRetry={() => void list.refetch()} />
      ) : (
        <output className="grid gap-2">
          <span className="sr-only">{texts.loading}</span>
          <Skeleton className="h-20" />
        </output>
      )}
    </section>
  );
}

function SuggestionEntry({ suggestion, onAccepted }: SuggestionsProps & { suggestion: Suggestion }) {
  const { id, title, description, reasoning, evidence, similarTo, source } = suggestion;
  const { setTo, asked: requested } = useSuggestionStatusWriter(suggestion, onAccepted);
  return (
    <li aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-1.5 rounded-md border border-line p-3">
      <div className="flex items-start justify-between gap-2">
        <h4 id={id} className="font-medium">
          {title}
        </h4>
        <Badge tone={source === "ai" ? "accent" : "outline"}>{texts.sources[source]}</Badge>
      </div>
      {description && <p className="line-clamp-2 text-muted">{description}</p>}
      {reasoning && <p>{messageText({ message: reasoning, reason: suggestion.sentence })}</p>}
      {evidence.length > 0 && (
        <details>
          <summary className="w-fit text-primary">{texts.evidence}</summary>
          <ul className="mt-1 list-disc pl-4">
            {evidence.map(({ text, sentence, sopId, title: name }) => (
              <li key={`${sopId} ${text}`}>
                {messageText({ message: text, reason: sentence })}
                {sopId && name && (
                  <>
                    {": "}
                    <SopLink to={sopId}>{name}</SopLink>
                  </>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
      {similarTo.length > 0 && (
        <p>
          {texts.similar}{" "}
          {similarTo.map(({ sopId, title: name }, index) => (
            <span key={sopId}>
              {index > 0 && ", "}
              <SopLink to={sopId}>{name}</SopLink>
            </span>
          ))}
        </p>
      )}
      <div className="mt-1 flex gap-2">
        <Button
          size="sm"
          aria-label={texts.acceptLabel({ title })}
          busy={requested === "accepted"}
          onClick={() => void setTo("accepted")}
        >
          {texts.accept}
        </Button>
        <Button
          size="sm"
          variant="ghost"
          aria-label={texts.dismissLabel({ title })}
          busy={requested === "dismissed"}
          onClick={() => void setTo("dismissed")}
        >
          {common.dismiss}
        </Button>
      </div>
    </li>
  );
}

function SopLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={`/sop/${to}`} className="text-primary underline underline-offset-2">
      {children}
    </Link>
  );
}

/**
 * Returns `setTo`, which accepts or dismisses a suggestion. Accepting creates a draft; dismissing can be undone.
 * `asked` is the status that is being stored; null otherwise.
 */
function useSuggestionStatusWriter({ id, title }: Suggestion, onAccepted: SuggestionsProps["onAccepted"]) {
  const toast = useToast();
  const { mutateAsync, isPending, variables } = useWrite("suggestions", "setStatus");
  const setTo = async (status: Suggestion["status"]): Promise<void> => {
    if (isPending) return;
    try {
      const { sopId } = await mutateAsync({ params: { id }, body: { status } });
      if (sopId) onAccepted({ id: sopId, title });
      if (sopId) toast({ title: templateTexts.made, description: common.created({ title }) });
      if (status !== "dismissed") return;
      const undo = { label: texts.undo, onClick: () => void setTo("pending") };
      toast({ title: texts.dismissed, description: title, action: undo });
    } catch (error) {
      const description = errorMessageOf(error, texts.changeFailed);
      toast({ title: common.error, description, variant: "destructive" });
    }
  };
  return { setTo, asked: isPending ? variables.body.status : null };
}
