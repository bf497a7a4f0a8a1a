import type { Suite } from './suite.ts'
import { audit } from './suites/audit.ts'
import { crash } from './suites/crash.ts'
import { escalation } from './suites/escalation.ts'
import { input } from './suites/input.ts'
import { isolation } from './suites/isolation.ts'
import { overload } from './suites/overload.ts'
import { pooler } from './suites/pooler.ts'
import { races } from './suites/races.ts'
import { replicas } from './suites/replicas.ts'
import { stores } from './suites/stores.ts'
import { tokens } from './suites/tokens.ts'

/** In the order in which they run: first what breaks nothing. */
export const suites: Suite[] = [
  isolation,
  tokens,
  escalation,
  input,
  races,
  audit,
  crash,
  replicas,
  overload,
  stores,
  pooler,
]
