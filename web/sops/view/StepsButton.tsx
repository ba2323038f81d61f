import { Play } from "lucide-react";
import { Link, useLocation } from "react-router-dom";
import { Button, type ButtonProps } from "../../ui/Button.tsx";
import { texts } from "./view-texts.ts";

interface StepsButtonProps extends Pick<ButtonProps, "size" | "variant" | "className"> {
  sopId: string;
}

/** Opens the steps, at the one that the address names. It tells them that the SOP is the entry of the history before. */
export function StepsButton({ sopId, ...look }: StepsButtonProps) {
  const { search, hash } = useLocation();
  return (
    <Button asChild {...look}>
      <Link to={{ pathname: `/sop/${sopId}/steps`, search, hash }} state={{ isFromSop: true }}>
        <Play aria-hidden />
        {texts.steps}
      </Link>
    </Button>
  );
}
