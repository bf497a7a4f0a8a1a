/**
 * Work of the harness after every test and every file. With `isolate: false` vitest imports a module once for all files:
 * a hook in the harness itself would hold only for the first file. It runs set-up files anew for each file.
 */
export const afterEachTest: (() => void)[] = []
export const afterEachFile: (() => Promise<void>)[] = []
