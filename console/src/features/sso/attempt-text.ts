import { useTranslation } from '../../translation.ts'
import type { Attempt } from '@tenantry/client'

/** Explains the outcome of a sign-in, and says what to do. */
export const useAttemptText = () => {
  const { t, textsOf } = useTranslation()
  const reasons: Partial<Record<string, string>> = textsOf('ssoReasons')
  const tested: Partial<Record<string, string>> = textsOf('ssoTestReasons')
  return ({ outcome, reason, number }: Pick<Attempt, 'outcome' | 'reason' | 'number'>): string => {
    if (outcome === 'proof') return t('connections.proofText')
    const known = outcome === 'test_passed' ? tested[reason] : reasons[reason]
    return known ?? t('connections.unknownReason', { number })
  }
}
