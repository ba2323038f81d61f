import { Play } from "lucide-react";
import { Link, useLocation } from "react-router-dom";
import { Button, type ButtonProps } from "../../ui/Button.tsx";
import { texts } from "./view-texts.ts";

interface StepsButtonProps extends Pick<ButtonProps, "size" | "variant" | "className"> {
  sopId: string;
}

/** Opens the steps at the step that the address names. The state says that the SOP is the previous history entry. */
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
