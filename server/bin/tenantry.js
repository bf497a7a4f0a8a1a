#!/usr/bin/env -S node --max-semi-space-size=4
/*
 * Plain JavaScript, because Node loads what strips the types (some 20 MB) with the first TypeScript file it has to read
 * anew. What it made of the sources is kept between starts instead: the next one is faster, and takes less memory.
 * Where that folder cannot be written, everything works as before.
 *
 * Old Nodes have to understand this file: it imports by name nothing that they lack, and awaits nothing.
 */
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

/** @param {string} path */
const at = (path) => fileURLToPath(new URL(path, import.meta.url))

const start = () => {
  nodeModule.enableCompileCache(at('../node_modules/.cache/tenantry'))
  // A clone has the sources, and after `npm pack` the compiled modules too; the package has only these.
  if (existsSync(at('../src'))) return import('../src/start/main.ts')
  // oxlint-disable-next-line no-restricted-imports -- build.ts compiles this module
  return import('../dist/start/main.js')
}

const [major, minor] = process.versions.node.split('.').map(Number)
if (major > 22 || (major === 22 && minor >= 18)) {
  void start()
} else {
  process.stderr.write(
    `tenantry: this is Node ${process.versions.node}; Tenantry needs Node 22.18 or newer\n`,
  )
  process.exit(1)
}
