import { Upload } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Button } from "../ui/Button.tsx";

const ImportDialog = lazy(() => import("./ImportDialog.tsx").then((module) => ({ default: module.ImportDialog })));

/** Opens the import; its code loads when somebody does. */
export function ImportButton() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Upload aria-hidden />
        Import
      </Button>
      {open && (
        <Suspense fallback={null}>
          <ImportDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
