import { ApiError } from '@tenantry/client'
import { useTranslation } from '../translation.ts'
import { useFormat } from '../format.ts'
import { isPartMissing } from '../load-part.ts'

/** Names of WebAuthn errors with which browsers end a request for a passkey. */
const passkeyUnused = ['NotAllowedError', 'AbortError', 'SecurityError', 'NotSupportedError']

export const useErrorText = () => {
  const { t } = useTranslation()
  const format = useFormat()
  /** The duration of a limit. */
  const waitOf = (error: ApiError): string =>
    error.status === 429 && error.retryAfterSeconds !== undefined
      ? ` ${t('common.possibleAgain', { when: format.inSeconds(error.retryAfterSeconds) })}`
      : ''
  return (error: unknown): string => {
    if (isPartMissing(error)) return t('errors.partMissing')
    const name = error instanceof Error ? error.name : ''
    if (name === 'InvalidStateError') return t('errors.passkeyKnown')
    if (passkeyUnused.includes(name)) return t('errors.passkeyUnused')
    return error instanceof ApiError
      ? `${t(`errors.${error.reason}`)}${waitOf(error)}`
      : t('errors.unexpected')
  }
}

const reasonsWithoutAnswer = ['network', 'timeout', 'unknown']

/** True if the service itself did not answer. The request may have taken effect nevertheless. */
export const isUnsure = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 0 && reasonsWithoutAnswer.includes(error.reason)
