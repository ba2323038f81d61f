import { Upload } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/Button.tsx";
import { later } from "../ui/later.tsx";

const ImportDialog = later(() => import("./ImportDialog.tsx").then((module) => module.ImportDialog));

/** Opens the import; its code loads when somebody does. */
export function ImportButton() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Upload aria-hidden />
        Import
      </Button>
      {open && <ImportDialog onClose={() => setOpen(false)} />}
    </>
  );
}
