/** zod tries `new Function` once to see whether it may: under our policy that is a violation report for nothing. */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
