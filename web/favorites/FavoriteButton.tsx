import { clsx } from "clsx";
import { Star } from "lucide-react";
import { useCommand } from "../shortcuts/use-command.ts";
import { Button } from "../ui/Button.tsx";
import { texts } from "./favorite-texts.ts";
import { useStar } from "./use-favorite.ts";

export type StarToggle = ReturnType<typeof useStar>;
type Starred = Parameters<StarToggle>[0];

interface StarButtonProps {
  sop: Starred;
  /** Of the whole list: forty stars with hooks of their own are felt while scrolling. */
  onToggle: StarToggle;
  className?: string;
}

/** On a card or a row: named after its SOP, and above the link that covers it. */
export function StarButton({ sop, onToggle, className }: StarButtonProps) {
  return (
    <Button
      size="icon-sm"
      variant="ghost"
      title={texts.favorite}
      aria-label={`${texts.favorite} ${sop.title}`}
      aria-pressed={sop.favorite}
      className={clsx("z-10", className)}
      onClick={() => void onToggle(sop)}
    >
      <StarIcon sop={sop} />
    </Button>
  );
}

/** On the SOP's own screen. */
export function SopStar({ sop }: { sop: Starred }) {
  const toggle = useStar();
  useCommand("star", () => void toggle(sop));
  return (
    <Button aria-pressed={sop.favorite} onClick={() => void toggle(sop)}>
      <StarIcon sop={sop} />
      <span className="max-sm:sr-only">{texts.favorite}</span>
    </Button>
  );
}

function StarIcon({ sop }: { sop: Starred }) {
  return <Star aria-hidden className={sop.favorite ? "fill-current text-warning" : "text-muted"} />;
}
