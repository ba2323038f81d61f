import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Download, Search } from "lucide-react";
import { useState } from "react";
import { acknowledgementStates, type AcknowledgementState } from "#core/acknowledgements/states.ts";
import type { Sop } from "#core/sops/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { queryKeyOf, useClient } from "../api.ts";
import { Badge, type BadgeTone } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { Field } from "../ui/Field.tsx";
import { SearchInput } from "../ui/Input.tsx";
import { Select } from "../ui/Select.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import { boundaryText, dateTimeText } from "../ui/time.ts";
import { ConfirmationProgress, type Confirmations } from "./ConfirmationProgress.tsx";
import { pagesStateOf } from "../use-pages.ts";
import { confirmationsTexts as texts, stateTexts } from "./texts.ts";

type ConfirmationPerson = Confirmations["people"][number];

interface ConfirmationsDialogProps {
  sop: Pick<Sop, "id" | "number" | "title">;
  onClose(): void;
}

/** All readers who were asked or have confirmed, overdue ones first. Refreshes while readers confirm. */
export function ConfirmationsDialog({ sop, onClose }: ConfirmationsDialogProps) {
  const [filter, setFilter] = useState<ConfirmationFilter>({ state: "all", search: "" });
  const matrix = useConfirmations(sop.id, filter);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={texts.title}
      description={`${sop.number} ${sop.title}`}
      size="wide"
      footer={
        <>
          <Button asChild className="mr-auto">
            <a href={`/api/sops/${sop.id}/acknowledgements/export`} download>
              <Download aria-hidden />
              {texts.export}
            </a>
          </Button>
          <Button onClick={onClose}>{texts.close}</Button>
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {matrix.counts && <ConfirmationProgress counts={matrix.counts} />}
        <ConfirmationFilterFields filter={filter} onFilter={setFilter} />
        {matrix.hasFailed ? (
          <ErrorState title={texts.failed} onRetry={matrix.retry} />
        ) : matrix.isPending ? (
          <output className="flex items-center gap-2 py-6 text-muted">
            <Spinner />
            {texts.loading}
          </output>
        ) : (
          <ConfirmationPeople matrix={matrix} isFiltered={filter.state !== "all" || filter.search.trim() !== ""} />
        )}
      </div>
    </Dialog>
  );
}

interface ConfirmationFilterFieldsProps {
  filter: ConfirmationFilter;
  onFilter(filter: ConfirmationFilter): void;
}

function ConfirmationFilterFields({ filter, onFilter }: ConfirmationFilterFieldsProps) {
  const options = [
    { value: "all", label: texts.all },
    ...acknowledgementStates.map((value) => ({ value, label: stateTexts[value] })),
  ];
  return (
    <div className="grid items-end gap-3 sm:grid-cols-[12rem_minmax(0,1fr)]">
      <Field label={texts.state}>
        {(control) => (
          <Select
            {...control}
            value={filter.state}
            onChange={(event) => onFilter({ ...filter, state: event.target.value as ConfirmationFilter["state"] })}
            options={options}
          />
        )}
      </Field>
      <SearchInput
        label={texts.search}
        placeholder={texts.search}
        icon={<Search />}
        value={filter.search}
        onChange={(event) => onFilter({ ...filter, search: event.target.value })}
      />
    </div>
  );
}

function ConfirmationPeople({
  matrix,
  isFiltered,
}: {
  matrix: ReturnType<typeof useConfirmations>;
  isFiltered: boolean;
}) {
  const { people, isStale, more } = matrix;
  if (people.length === 0) return <p className="py-4 text-muted">{isFiltered ? texts.emptyFiltered : texts.empty}</p>;
  return (
    <>
      <ul
        aria-label={texts.label}
        aria-busy={isStale}
        className={clsx("divide-y divide-line", isStale && "opacity-60")}
      >
        {people.map((person) => (
          <PersonRow key={person.user.id} person={person} />
        ))}
      </ul>
      {more.hasMore && (
        <div className="text-center">
          <Button busy={more.isLoading} onClick={more.load}>
            {texts.more}
          </Button>
        </div>
      )}
    </>
  );
}

const stateTones: Record<AcknowledgementState, BadgeTone> = {
  overdue: "destructive",
  open: "warning",
  confirmed: "success",
  past: "outline",
};

function PersonRow({ person: { user, state, dueBy, confirmed } }: { person: ConfirmationPerson }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <span className="min-w-0 flex-1 basis-40 font-medium wrap-anywhere">{printedName(user)}</span>
      <span className="text-sm text-muted tabular-nums">
        {[
          ...(dueBy === null ? [] : [texts.due({ dueBy: boundaryText(dueBy) })]),
          ...(confirmed ? [texts.versionOn({ version: confirmed.version, at: dateTimeText(confirmed.at) })] : []),
        ].join(" · ")}
      </span>
      <Badge tone={stateTones[state]}>{stateTexts[state]}</Badge>
    </li>
  );
}

interface ConfirmationFilter {
  state: AcknowledgementState | "all";
  search: string;
}

/** All readers that match the filter, page by page. The list shown stays until the next answer arrives. */
function useConfirmations(id: string, { state, search }: ConfirmationFilter) {
  const client = useClient();
  const query = { ...(state !== "all" && { state }), ...(search.trim() !== "" && { search: search.trim() }) };
  const params = { id };
  const pages = useInfiniteQuery({
    queryKey: [...queryKeyOf("acknowledgements", "get", { params, query }), "pages"],
    queryFn: ({ pageParam, signal }) =>
      client.acknowledgements.get({
        params,
        query: { ...query, ...(pageParam !== null && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.matrix?.nextCursor ?? null,
    placeholderData: keepPreviousData,
  });
  const found = pages.data?.pages ?? [];
  return {
    people: found.flatMap(({ matrix }) => matrix?.people ?? []),
    counts: found.at(-1)?.matrix?.counts,
    ...pagesStateOf(pages),
  };
}
