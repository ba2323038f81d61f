import type { Acknowledgements, OwedAcknowledgement } from "#core/acknowledgements/schema.ts";
import type { SopDocument } from "../database/documents.ts";
import type { Identity } from "../http/call.ts";
import { type Tx } from "./asked.ts";
/** On an SOP that he sees. */
export declare function ownState(store: Tx, { user, actor }: Pick<Identity, "user" | "actor">, sop: SopDocument, now: string): Promise<Acknowledgements["mine"]>;
/** Everything that he still has to confirm: overdue first, then by due day. */
export declare function owedBy(store: Tx, { user, actor }: Pick<Identity, "user" | "actor">, now: string): Promise<OwedAcknowledgement[]>;
