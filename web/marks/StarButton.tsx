import { clsx } from "clsx";
import { Star } from "lucide-react";
import type { SopRow } from "#core/sops/schema.ts";
import { useCommand } from "../shortcuts/use-command.ts";
import { Button } from "../ui/Button.tsx";
import { texts } from "./star-texts.ts";
import { useStar } from "./use-star.ts";

interface StarButtonProps {
  sop: Pick<SopRow, "id" | "title" | "favorite">;
  /** On the SOP's own screen; elsewhere it is named after its SOP, and lies above the link that covers the card. */
  withWord?: boolean;
  className?: string;
}

export function StarButton({ sop, withWord = false, className }: StarButtonProps) {
  const toggle = useStar();
  useCommand("star", withWord ? () => void toggle(sop) : null);
  return (
    <Button
      {...(!withWord && {
        size: "icon-sm",
        variant: "ghost",
        title: texts.favorite,
        "aria-label": `${texts.favorite} ${sop.title}`,
      })}
      aria-pressed={sop.favorite}
      className={clsx("z-10", className)}
      onClick={() => void toggle(sop)}
    >
      <Star aria-hidden className={sop.favorite ? "fill-current text-warning" : "text-muted"} />
      {withWord && texts.favorite}
    </Button>
  );
}
