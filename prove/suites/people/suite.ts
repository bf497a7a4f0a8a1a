import type { Suite } from '../../suite.ts'
import { proveEnumeration } from './enumeration.ts'
import { proveFactors } from './factors.ts'
import { proveForgedFiles } from './forged.ts'
import { proveImported } from './imported.ts'
import { proveLateLinks, proveLinks } from './links.ts'
import { proveMemberships } from './memberships.ts'
import { provePrepared } from './prepared.ts'
import { proveRaces } from './races.ts'
import { proveSignUps, signUpSettings } from './sign-ups.ts'
import { withStage } from './stage.ts'

export const people: Suite = {
  name: 'people',
  kinds: ['embedded', 'services'],
  prove: async (target, record) => {
    await withStage(target, (stage) => proveSignUps(stage, record), signUpSettings)
    await withStage(target, async (stage) => {
      // Most of these wait for e-mails, and times are measured before anything else runs.
      await proveEnumeration(stage, record)
      await Promise.all([
        proveLinks(stage, record),
        provePrepared(stage, record),
        proveImported(stage, record),
        proveForgedFiles(stage, record),
        proveMemberships(stage, record),
        proveFactors(stage, record),
      ])
      await proveRaces(stage, record)
      await proveLateLinks(stage, record)
    })
  },
}
