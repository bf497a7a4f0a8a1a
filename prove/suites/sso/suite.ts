/** Proves that a tenant's provider signs in only people of that tenant, and in their own browsers. */
import type { Prove, Suite } from '../../suite.ts'
import type { Target } from '../../target.ts'
import { proveAnswers } from './answers.ts'
import { proveDomains } from './domains.ts'
import { proveOuts } from './outs.ts'
import { proveRequired } from './required.ts'
import { proveResponses } from './responses.ts'
import { openStage } from './stage.ts'

const prove = async (target: Target, record: Prove): Promise<void> => {
  const stage = await openStage(target)
  try {
    await proveDomains(stage, record)
    await proveResponses(stage, record)
    await proveRequired(stage, record)
    await proveOuts(stage, record)
    await proveAnswers(stage, record)
  } finally {
    await stage.close()
  }
}

export const sso: Suite = { name: 'sso', kinds: ['embedded', 'services'], prove }
