import { ApiError } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { isPartMissing } from '../load-part.ts'

/** The names of errors with which browsers end a request for a passkey, by WebAuthn. */
const passkeyUnused = ['NotAllowedError', 'AbortError', 'SecurityError', 'NotSupportedError']

export const useErrorText = () => {
  const { t } = useTranslation()
  return (error: unknown): string => {
    if (isPartMissing(error)) return t('errors.partMissing')
    const name = error instanceof Error ? error.name : ''
    if (name === 'InvalidStateError') return t('errors.passkeyKnown')
    if (passkeyUnused.includes(name)) return t('errors.passkeyUnused')
    return t(`errors.${error instanceof ApiError ? error.reason : 'unexpected'}`)
  }
}

const reasonsWithoutAnswer = ['network', 'timeout', 'unknown']

/** Whether the service itself has not answered; the request may have taken effect nevertheless. */
export const isUnsure = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 0 && reasonsWithoutAnswer.includes(error.reason)
