import { clsx } from "clsx";
import { Star } from "lucide-react";
import type { SopRow } from "#core/sops/schema.ts";
import { Button } from "../ui/Button.tsx";
import { texts } from "./texts.ts";
import { useStar } from "./use-star.ts";

interface StarButtonProps {
  sop: Pick<SopRow, "id" | "title" | "favorite">;
  className?: string;
}

/** The star of a card or row: above the link that covers it. */
export function StarButton({ sop, className }: StarButtonProps) {
  const toggle = useStar();
  return (
    <Button
      size="icon-sm"
      variant="ghost"
      aria-label={`${texts.favorite} ${sop.title}`}
      aria-pressed={sop.favorite}
      title={texts.favorite}
      className={clsx("z-10", className)}
      onClick={() => void toggle(sop)}
    >
      <StarIcon filled={sop.favorite} />
    </Button>
  );
}

/** The same with its word, for the SOP's own screen. */
export function FavoriteButton({ sop }: StarButtonProps) {
  const toggle = useStar();
  return (
    <Button aria-pressed={sop.favorite} onClick={() => void toggle(sop)}>
      <StarIcon filled={sop.favorite} />
      {texts.favorite}
    </Button>
  );
}

function StarIcon({ filled }: { filled: boolean }) {
  return <Star aria-hidden className={filled ? "fill-current text-warning" : "text-muted"} />;
}
