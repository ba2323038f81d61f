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
  /**
   * The list passes one function to all cards, because forty buttons with their own hooks would slow down scrolling.
   */
  onToggle: ToggleFavorite;
  className?: string;
}

/** The button on a card or row. Its name contains the SOP's title, and it is above the link that covers the card. */
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

/** The button on the SOP's own screen. */
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
