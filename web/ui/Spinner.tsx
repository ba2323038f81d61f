import { LoaderCircle } from "lucide-react";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("ui.spinner", { loading: "Loading…" });

/** A spinner without a text. The element around it says what is loading. */
export function Spinner() {
  return <LoaderCircle aria-hidden className="size-4 animate-spin" />;
}

/** A spinner for a whole region, announced once. */
export function PageSpinner({ label }: { label?: string }) {
  return (
    <output className="grid min-h-[50dvh] place-items-center text-muted">
      <LoaderCircle aria-hidden className="size-7 animate-spin" />
      <span className="sr-only">{label ?? texts.loading}</span>
    </output>
  );
}
