/**
 * Paths of the program's parts. Node runs the sources of a clone. The published package contains them compiled, with
 * the built console (server/build.ts). The entry, bin/tenantry.js, starts one or the other.
 */
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The ending of every module: `.ts` in a clone, `.js` in the package. */
export const moduleEnding = extname(import.meta.filename)

/** The folder of the documents. */
export const docsFolder = fileURLToPath(
  new URL(moduleEnding === '.ts' ? '../../docs/' : 'docs/', import.meta.url),
)

/** The folder of the console. In a clone `npm run build -w console` writes it. */
export const consoleFolder = fileURLToPath(
  new URL(moduleEnding === '.ts' ? '../../console/dist/' : 'console/', import.meta.url),
)
