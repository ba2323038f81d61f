import { clsx } from "clsx";
import { Star } from "lucide-react";
import { useCommand } from "../shortcuts/use-command.ts";
import { Button } from "../ui/Button.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { texts } from "./favorite-texts.ts";
import { useToggleFavorite } from "./use-favorite.ts";

export type ToggleFavorite = ReturnType<typeof useToggleFavorite>;
type FavoriteSop = Parameters<ToggleFavorite>[0];

interface CardFavoriteButtonProps {
  sop: FavoriteSop;
  /** Of the whole list: forty stars with hooks of their own are felt while scrolling. */
  onToggle: ToggleFavorite;
  className?: string;
}

/** On a card or a row: named after its SOP, and above the link that covers it. */
export function CardFavoriteButton({ sop, onToggle, className }: CardFavoriteButtonProps) {
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
export function FavoriteButton({ sop }: { sop: FavoriteSop }) {
  const toggle = useToggleFavorite();
  useCommand("star", () => void toggle(sop));
  return (
    <IconButton label={texts.favorite} aria-pressed={sop.favorite} onClick={() => void toggle(sop)}>
      <StarIcon sop={sop} />
    </IconButton>
  );
}

function StarIcon({ sop }: { sop: FavoriteSop }) {
  return <Star aria-hidden className={sop.favorite ? "fill-current text-warning" : "text-muted"} />;
}
