/**
 * What the harness does after every test. vitest runs a set-up file anew for each test file, but with `isolate: false`
 * imports a module once: a hook set in the harness itself would hold for the first file alone.
 */
export const afterEachTest: (() => void)[] = []
