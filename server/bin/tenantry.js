#!/usr/bin/env -S node --max-semi-space-size=4
/*
 * Plain JavaScript, because Node loads what strips the types (some 20 MB) with the first TypeScript file it has to read
 * anew. What it made of the sources is kept between starts instead: the next one is faster, and takes less memory.
 * Where that folder cannot be written, everything works as before.
 */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/tenantry'))
await import('../src/start/main.ts')
