import type { sso as en } from './en-sso.ts'
import { domains } from './zh/sso-domains.ts'
import { ssoPlan } from './zh/sso-plan.ts'
import { ssoProviders } from './zh/sso-providers.ts'
import { onlyConnection } from './zh/sso-only.ts'
import { connections } from './zh/sso.ts'

export const sso: typeof en = {
  connections,
  domains,
  onlyConnection,
  ssoPlan,
  ssoProviders,
}
