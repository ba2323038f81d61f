import { Search } from "lucide-react";
import { useState } from "react";
import { createSearchMatcher } from "#core/search-keys.ts";
import { errorMessageOf, useClient, useRead, type AppClient } from "../api.ts";
import { Alert } from "../ui/Alert.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { SearchInput } from "../ui/Input.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import { useToast } from "../ui/Toast.tsx";
import type { TemplateValues } from "./TemplateButton.tsx";
import { texts } from "./texts.ts";

interface TemplatesDialogProps {
  title: string;
  /** True if the template would replace typed text. */
  replaces?: boolean;
  /** The error to show if `onChoose` fails and the server gives no message for the user. */
  unusable: string;
  /** A further action for the typed search words, such as drafting an SOP with this title. */
  best?: { label(words: string): string; choose(words: string): Promise<void> };
  onChoose(entry: TemplateEntry, client: AppClient): Promise<void>;
  onClose(): void;
}

export interface TemplateEntry {
  id: string;
  title: string;
  description: string;
  readTime: number;
  open(client: AppClient): Promise<TemplateValues>;
}

/** Lists the company's templates that the user can see, and those of the library. */
export function TemplatesDialog({ title, replaces, unusable, best, onChoose, onClose }: TemplatesDialogProps) {
  const client = useClient();
  const toast = useToast();
  const own = useRead("sops", "list", { query: { template: "true", limit: 200 } });
  const library = useRead("templates", "list", {});
  const [search, setSearch] = useState("");
  const [opening, setOpening] = useState<string | null>(null);

  const words = search.trim();

  const chooseTemplate = async (id: string, use: () => Promise<void>): Promise<void> => {
    if (opening !== null) return;
    setOpening(id);
    try {
      await use();
    } catch (error) {
      toast({ title: texts.error, description: errorMessageOf(error, unusable), variant: "destructive" });
      setOpening(null);
    }
  };
  const retry = () => void Promise.all([own.refetch(), library.refetch()]);
  const groups = [
    { heading: texts.own, entries: matchingTemplates((own.data?.data ?? []).map(entryFromCompany), search) },
    { heading: texts.library, entries: matchingTemplates((library.data ?? []).map(entryFromLibrary), search) },
  ].filter(({ entries }) => entries.length > 0);
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      <div className="grid gap-4">
        {replaces && <Alert tone="warning">{texts.replaces}</Alert>}
        {own.data && library.data ? (
          <>
            <SearchInput
              label={texts.search}
              placeholder={texts.search}
              icon={<Search />}
              value={search}
              maxLength={200}
              onChange={(event) => setSearch(event.target.value)}
            />
            {groups.length === 0 && <p className="text-muted">{texts.none}</p>}
            {best && words !== "" && (
              <button
                type="button"
                aria-busy={opening === ""}
                className="rounded-md border border-line px-3 py-2.5 text-left font-medium transition-colors duration-150 hover:bg-sunken"
                onClick={() => void chooseTemplate("", () => best.choose(words))}
              >
                {best.label(words)}
              </button>
            )}
            {groups.map(({ heading, entries }) => (
              <section key={heading} aria-label={heading}>
                <h3 className="mb-1 text-xs font-semibold text-muted">{heading}</h3>
                <ul className="divide-y divide-line border-y border-line">
                  {entries.map((entry) => (
                    <li key={entry.id}>
                      <TemplateChoice
                        entry={entry}
                        busy={opening === entry.id}
                        onChoose={() => void chooseTemplate(entry.id, () => onChoose(entry, client))}
                      />
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          </>
        ) : own.isError || library.isError ? (
          <ErrorState title={texts.failed} onRetry={retry} />
        ) : (
          <output className="flex items-center gap-2 text-muted">
            <Spinner />
            {texts.loading}
          </output>
        )}
      </div>
    </Dialog>
  );
}

function TemplateChoice({ entry, busy, onChoose }: { entry: TemplateEntry; busy: boolean; onChoose(): void }) {
  return (
    <button
      type="button"
      aria-busy={busy}
      onClick={onChoose}
      className="grid w-full grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 px-2 py-2 text-left transition-colors duration-150 hover:bg-sunken focus-visible:-outline-offset-2"
    >
      <span className="font-medium">{entry.title}</span>
      <span className="text-xs text-muted tabular-nums">{`${entry.readTime} ${texts.minutes}`}</span>
      <span className="col-span-2 line-clamp-1 text-sm text-muted">{entry.description}</span>
    </button>
  );
}

type KnownTemplate = Pick<TemplateEntry, "id" | "title" | "description" | "readTime">;

function entryFromCompany({ id, title, description, readTime }: KnownTemplate): TemplateEntry {
  const openSop = async (client: AppClient) => ({ ...(await client.sops.get({ params: { id } })), copyOf: id });
  return { id, title, description, readTime, open: openSop };
}

function entryFromLibrary({ id, title, description, readTime }: KnownTemplate): TemplateEntry {
  const openTemplate = async (client: AppClient) => ({
    ...(await client.templates.get({ params: { id } })),
    categoryId: null,
  });
  return { id, title, description, readTime, open: openTemplate };
}

function matchingTemplates(entries: readonly TemplateEntry[], search: string): TemplateEntry[] {
  const isFound = createSearchMatcher(search);
  return entries.filter(({ title, description }) => isFound(`${title} ${description}`));
}
