/** Proves that a way to sign in opens accounts to their persons alone, where it is open. */
import type { Suite } from '../../suite.ts'
import { addApp } from '../../second-factor.ts'
import { ok } from '../../../lab/client.ts'
import { withProvider } from '../people/stage.ts'
import { proveClosed } from './closed.ts'
import { proveCodes } from './codes.ts'
import { proveApplications } from './applications.ts'
import { provePasswords } from './passwords.ts'
import { openProvider, proveProviders } from './providers.ts'
import { proveWork } from './work.ts'

export const ways: Suite = {
  name: 'ways',
  kinds: ['embedded', 'services'],
  prove: (target, record) =>
    withProvider(target, async (stage, started) => {
      await addApp(stage.root)
      ok(await stage.root.call('PUT', '/settings/global/auth.ways', { value: { email_code: true } }))
      const provider = await openProvider(stage, started)
      await proveProviders(stage, provider, record)
      await proveCodes(stage, record)
      await proveClosed(stage, provider, record)
      await proveApplications(stage, record)
      await provePasswords(stage, record)
      await proveWork(stage, record)
    }),
}
