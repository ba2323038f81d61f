/** Asks for confirmation before a company is suspended or removed, because its users lose their access. */
import type { ReactNode } from "react";
import type { Company } from "#core/companies/schema.ts";
import { AlertDialog } from "../ui/AlertDialog.tsx";
import { texts } from "./texts.ts";

export interface CompanyActionToConfirm {
  verb: "suspend" | "remove";
  company: Company;
}

interface CompanyConfirmDialogProps {
  subject: CompanyActionToConfirm;
  busy?: boolean;
  onConfirm(): void;
  onClose(): void;
  children?: ReactNode;
}

export function CompanyConfirmDialog({
  subject,
  busy = false,
  onConfirm,
  onClose,
  children,
}: CompanyConfirmDialogProps) {
  const { verb, company } = subject;
  const words = {
    suspend: {
      title: texts.suspendAsk({ name: company.name }),
      description: texts.suspendEffect,
      confirm: texts.suspend,
    },
    remove: {
      title: texts.areYouSureYou({ name: company.name }),
      description: texts.removeText,
      confirm: texts.remove,
    },
  }[verb];
  return (
    <AlertDialog
      open
      onOpenChange={(open) => !open && onClose()}
      {...words}
      destructive
      busy={busy}
      onConfirm={onConfirm}
    >
      {children}
    </AlertDialog>
  );
}
