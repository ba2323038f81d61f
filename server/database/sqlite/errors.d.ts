export declare function translateErrors<T>(run: () => T): T;
