/** Loaded when the form is first checked: zod and the rules (seed §5). */
import { zodResolver } from "@hookform/resolvers/zod";
import { SopForm } from "#core/sops/schema.ts";

export const sopResolver = zodResolver(SopForm);
