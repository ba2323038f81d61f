import type { SopDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
import type { Signed } from "../permissions/effect.ts";
interface Read {
    version: number;
    contentHash?: string | undefined;
}
/** Once for each version: a second time changes nothing. @throws AppError conflict unless the version is in force and asks */
export declare function confirmVersion(services: Pick<Services, "db" | "clock">, call: Signed, sopId: string, read: Read): Promise<SopDocument>;
export {};
