import { removeTenants } from '../../attack.ts'
import { startReplica } from '../../../lab/replica.ts'
import type { Prove, Suite } from '../../suite.ts'
import type { Target } from '../../target.ts'
import { proveAssistants } from './assistants.ts'
import { proveBrowsers } from './browsers.ts'
import { proveCodes } from './codes.ts'
import { proveConsenting } from './consents.ts'
import { proveEnds } from './ends.ts'
import { proveKilled } from './killed.ts'
import { proveLogouts } from './logouts.ts'
import { proveNarrowed } from './narrowed.ts'
import { startLater } from './open-stage.ts'
import { proveRedirects } from './redirects.ts'
import { proveSecrets } from './secrets.ts'
import { openStage } from './stage.ts'
import { proveThirdParties } from './third-parties.ts'

const prove = async (target: Target, record: Prove): Promise<void> => {
  const { kind, env = {}, url, root, short } = target
  const second = kind === 'services' ? await startReplica(env) : undefined
  const later = startLater(target)
  try {
    const stage = await openStage({ short, root, urls: [url, ...(second ? [second.url] : [])] })
    await proveRedirects(stage, record)
    await proveCodes(stage, record)
    await proveEnds(stage, record)
    await proveNarrowed(later.get, record)
    await proveBrowsers(stage, record)
    await proveThirdParties(stage, record)
    await proveLogouts(stage, record)
    await proveConsenting(stage, later.get, record)
    await proveSecrets(stage, later.get, record)
    await proveKilled(target, stage, record)
    await proveAssistants(later.get, record)
    await removeTenants(root, [stage.tenant.id])
  } finally {
    await later.stop()
    await second?.stop()
  }
}

export const signIn: Suite = { name: 'sign-in', kinds: ['embedded', 'services'], prove }
