import type { Suite } from './suite.ts'
import { escalation } from './suites/escalation.ts'
import { isolation } from './suites/isolation.ts'
import { tokens } from './suites/tokens.ts'

/** In the order in which they run: first what breaks nothing. */
export const suites: Suite[] = [isolation, tokens, escalation]
