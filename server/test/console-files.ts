/** Files of the console that are written from the service: `npm run docs` writes them, and a test compares them. */
import type { ApiDocument, Operation } from './api-document.ts'

/** A support session can hold these permissions. The others it lacks anyway (`setOf` in support.service.ts). */
const isHeld = (permission: string): boolean =>
  permission.endsWith(':read') ||
  ['caller', 'user', 'account', 'suspendedAccount', 'setting:update', 'setting:delete'].includes(permission)

const isShut = ({ 'x-permission': permission, 'x-support': kind }: Operation): boolean =>
  kind === undefined && isHeld(permission)

const shutFile = ({ paths }: ApiDocument): string => {
  const shut = Object.values(paths)
    .flatMap((methods) => Object.entries(methods))
    .filter(([method, operation]) => method !== 'head' && isShut(operation))
    .map(([, { operationId }]) => operationId)
  return `// Written by \`npm run docs\`; a test fails when it is stale.

/** The operations that a support session does not reach, although it can hold the permission that they need. */
export const shutOperations = [
${shut.map((name) => `  '${name}',\n`).join('')}] as const

export type ShutOperation = (typeof shutOperations)[number]
`
}

/** Each generated file of the console, by its path in the repository, with the text it must have. */
export const consoleFiles = (document: ApiDocument): Record<string, string> => ({
  'console/src/session/shut-operations.ts': shutFile(document),
})
