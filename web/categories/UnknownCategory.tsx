import { FolderX } from "lucide-react";
import { Link } from "react-router-dom";
import { PageHeading } from "../shell/PageHeading.tsx";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { texts } from "./texts.ts";

export function UnknownCategory() {
  return (
    <div className="grid gap-5">
      <PageHeading title={texts.notFound} />
      <EmptyState
        icon={<FolderX />}
        title={texts.notFoundText}
        action={
          <Button asChild>
            <Link to="/sops">{texts.browse}</Link>
          </Button>
        }
      />
    </div>
  );
}
