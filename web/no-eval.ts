/** Stops zod from testing `new Function`, which our content security policy would report as a violation. */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
