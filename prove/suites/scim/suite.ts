/**
 * Proves that a directory controls only its own people, at once, and within the permissions that its tenant gave it.
 */
import type { Prove, Suite } from '../../suite.ts'
import type { Target } from '../../target.ts'
import { proveCostly } from './costs.ts'
import { proveOuts } from './outs.ts'
import { proveReach } from './reach.ts'
import { openStage } from './stage.ts'

const prove = async (target: Target, record: Prove): Promise<void> => {
  const stage = await openStage(target)
  try {
    await proveReach(stage, record)
    await proveOuts(stage, record)
    await proveCostly(stage, record)
  } finally {
    await stage.close()
  }
}

export const scim: Suite = { name: 'scim', kinds: ['embedded', 'services'], prove }
