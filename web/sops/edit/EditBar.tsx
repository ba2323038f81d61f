/** The bar that stays visible while writing: the way back, the category, the save state and the next action. */
import { ArrowLeft, ChevronDown, PanelRight } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { Controller } from "react-hook-form";
import { Link } from "react-router-dom";
import type { Sop } from "#core/sops/schema.ts";
import { EditPresence } from "../../presence/PresenceLine.tsx";
import { useMay } from "../../session.tsx";
import { useHeadingFocus } from "../../shell/PageHeading.tsx";
import { Button } from "../../ui/Button.tsx";
import { FieldError } from "../../ui/Field.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import type { SelectOption } from "../../ui/Select.tsx";
import { barTexts, texts } from "./edit-texts.ts";
import type { NextAction } from "./use-next-action.ts";
import type { SopEditing } from "./use-sop-editing.ts";

interface EditBarProps {
  editing: SopEditing;
  isSaving: boolean;
  categories: readonly SelectOption[];
  next: NextAction;
  /** True if the next action offers both publishing and submitting. */
  isEither: boolean;
  properties: { isOpen: boolean; toggle(): void };
  menu: ReactNode;
}

export function EditBar({ editing, isSaving, categories, next, isEither, properties, menu }: EditBarProps) {
  const { base } = editing.state;
  const heading = useHeadingFocus(base ? texts.editTitle : texts.newTitle);
  return (
    <>
      {/* For a new SOP the title takes the focus instead. */}
      <h1 {...(base && { ref: heading })} tabIndex={-1} className="sr-only">
        {base ? texts.editTitle : texts.newTitle}
      </h1>
      <header
        data-print="hide"
        data-leaves-in-focus
        className="sticky top-0 z-30 flex min-h-13 flex-wrap items-center gap-1 border-b border-line bg-bg px-2 py-1 sm:gap-2 sm:px-4"
      >
        <Button asChild variant="ghost" size="icon">
          <Link to={base ? `/sop/${base.id}` : "/"} aria-label={base ? texts.backToSop : texts.back}>
            <ArrowLeft aria-hidden />
          </Link>
        </Button>
        <div className="flex min-w-0 items-center gap-2 text-t2 text-muted max-sm:hidden">
          {!base && <span aria-hidden>{texts.newIn}</span>}
          <CategoryMenu editing={editing} categories={categories} />
          {base && (
            <span className="whitespace-nowrap">
              {base.number} <span>{texts.version({ version: base.version })}</span>
            </span>
          )}
        </div>
        {base && (
          <div className="flex min-w-0 max-sm:order-last max-sm:basis-full max-sm:empty:hidden">
            <EditPresence id={base.id} />
          </div>
        )}
        <SavedState editing={editing} isSaving={isSaving} />
        <IconButton
          label={barTexts.properties}
          shortcut="Mod+."
          aria-expanded={properties.isOpen}
          onClick={properties.toggle}
        >
          <PanelRight aria-hidden />
        </IconButton>
        {menu}
        <Button
          variant={next ? "outline" : "primary"}
          busy={isSaving}
          onClick={() => editing.save(false)}
          className={next ? "max-sm:hidden" : ""}
        >
          {texts.save}
        </Button>
        {next && (
          <Button
            variant="primary"
            busy={isSaving}
            disabled={!next.isDue}
            {...(next.what === "submit" && { "aria-label": barTexts.submit })}
            onClick={next.run}
          >
            {next.what === "submit" ? (
              <>
                <span className="max-sm:hidden">{barTexts.submit}</span>
                <span className="sm:hidden">{barTexts.submitShort}</span>
              </>
            ) : isEither ? (
              texts.publishOrSubmit
            ) : (
              texts.publish
            )}
          </Button>
        )}
      </header>
    </>
  );
}

const CategoryDialog = lazyPart(() =>
  import("../../categories/CategoryDialog.tsx").then((module) => module.CategoryDialog),
);

/** A value that no category has as its id. */
const newCategory = "new";

/** The menu for the category. It opens after an attempt to publish if only the category is missing. */
function CategoryMenu({ editing: { form }, categories }: Pick<EditBarProps, "editing" | "categories">) {
  const select = useRef<HTMLSelectElement>(null);
  const may = useMay();
  const [isNaming, setNaming] = useState(false);
  const { errors } = form.formState;
  const error = errors.categoryId?.message;
  const tries = form.formState.submitCount;
  const onMissing = useEffectEvent(() => {
    if (Object.keys(errors).length > 1) return;
    select.current?.focus();
    try {
      select.current?.showPicker();
    } catch {
      // A browser opens the picker only after a click or a key.
    }
  });
  // This runs only after an attempt. The menu must not open while the user fills in other missing fields.
  useEffect(() => {
    if (error) onMissing();
  }, [error, tries]);
  return (
    <Controller
      control={form.control}
      name="categoryId"
      render={({ field }) => (
        <span className="relative">
          <select
            {...field}
            onChange={(event) => {
              if (event.target.value === newCategory) setNaming(true);
              else field.onChange(event);
            }}
            ref={select}
            aria-label={texts.category}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? "category-error" : undefined}
            className="h-8 max-w-56 field-sizing-content cursor-pointer appearance-none truncate rounded-md border border-transparent bg-transparent pr-7 pl-2 font-medium text-text hover:bg-sunken aria-invalid:border-destructive pointer-coarse:min-h-11"
          >
            <option value="" disabled>
              {texts.categoryPlaceholder}
            </option>
            {categories.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
            {may("category.write") && <option value={newCategory}>{barTexts.newCategory}</option>}
          </select>
          <ChevronDown
            aria-hidden
            className="pointer-events-none absolute top-1/2 right-1.5 size-4 -translate-y-1/2 text-muted"
          />
          {error && (
            <span className="absolute top-1/2 left-full z-10 ml-2 -translate-y-1/2 rounded-md border border-line bg-surface px-3 py-1.5 whitespace-nowrap shadow-float">
              <FieldError id="category-error" message={error} />
            </span>
          )}
          {isNaming && (
            <CategoryDialog category={null} onClose={() => setNaming(false)} onSaved={({ id }) => field.onChange(id)} />
          )}
        </span>
      )}
    />
  );
}

function SavedState({ editing: { state }, isSaving }: Pick<EditBarProps, "editing" | "isSaving">) {
  const isOnline = useSyncExternalStore(subscribeToConnection, () => navigator.onLine);
  const { base, isUnsaved, isKept } = state;
  return (
    <output className="ml-auto min-w-0 truncate text-right text-t2 text-muted max-sm:flex-1 max-sm:basis-16">
      {isSaving ? (
        barTexts.saving
      ) : isUnsaved ? (
        barTexts[!isOnline ? "offline" : isKept ? "kept" : "unsaved"]
      ) : base ? (
        <>
          {barTexts.saved}
          <span className="max-md:hidden">{readersSeeText(base)}</span>
        </>
      ) : (
        barTexts.new
      )}
    </output>
  );
}

function readersSeeText({ published, version }: Sop): string {
  return published && published.version !== version ? barTexts.readersSee({ version: published.version }) : "";
}

function subscribeToConnection(changed: () => void): () => void {
  window.addEventListener("online", changed);
  window.addEventListener("offline", changed);
  return () => {
    window.removeEventListener("online", changed);
    window.removeEventListener("offline", changed);
  };
}
