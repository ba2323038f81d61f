import { Play } from "lucide-react";
import { Link } from "react-router-dom";
import { Button, type ButtonProps } from "../../ui/Button.tsx";
import { texts } from "./view-texts.ts";

interface StepsButtonProps extends Pick<ButtonProps, "size" | "variant" | "className"> {
  sopId: string;
}

/** Opens the steps, and tells them that the SOP is the entry of the history before them. */
export function StepsButton({ sopId, ...look }: StepsButtonProps) {
  return (
    <Button asChild {...look}>
      <Link to={`/sop/${sopId}/steps`} state={{ isFromSop: true }}>
        <Play aria-hidden />
        {texts.steps}
      </Link>
    </Button>
  );
}
