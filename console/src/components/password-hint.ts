import type { PasswordRules } from '@tenantry/client'
import { useTranslation } from '../translation.ts'

const defaults: PasswordRules = {
  min_length: 8,
  refuse_common: false,
  refuse_personal: false,
  breached: 'off',
}

/** States the rules for a new password. Before the service has told them, states those that always hold. */
export const usePasswordHint = () => {
  const { t, gap } = useTranslation()
  return ({ min_length: min, refuse_common, refuse_personal, breached }: PasswordRules = defaults): string =>
    [
      t('fields.passwordHint', { min }),
      (refuse_common || breached === 'refuse') && t('fields.passwordUncommon'),
      refuse_personal && t('fields.passwordImpersonal'),
    ]
      .filter((text) => text !== false)
      .join(gap)
}
