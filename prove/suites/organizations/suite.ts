/** Proves what an organization knows of its people, how many of them it has, and what guests set up for it. */
import type { Suite } from '../../suite.ts'
import { withProvider } from '../people/stage.ts'
import { proveAttributes } from './attributes.ts'
import { proveLimits } from './limits.ts'
import { proveSetupLinks } from './setup-links.ts'

export const organizations: Suite = {
  name: 'organizations',
  kinds: ['embedded', 'services'],
  prove: (target, record) =>
    withProvider(target, async (stage, provider) => {
      await proveLimits(stage, record)
      await proveAttributes(stage, record)
      await proveSetupLinks(stage, provider, record)
    }),
}
