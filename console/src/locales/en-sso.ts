import { domains } from './en/sso-domains.ts'
import { ssoPlan } from './en/sso-plan.ts'
import { ssoProviders } from './en/sso-providers.ts'
import { onlyConnection } from './en/sso-only.ts'
import { connections } from './en/sso.ts'

/** The texts of the pages about enterprise sign-in. */
export const sso = {
  connections,
  domains,
  onlyConnection,
  ssoPlan,
  ssoProviders,
}
