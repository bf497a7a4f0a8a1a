import { ApiError } from '@tenantry/client'
import { useTranslation } from '../translation.ts'
import { useFormat } from '../format.ts'
import { isPartMissing } from '../load-part.ts'

type PasswordFault = 'breached' | 'common' | 'personal' | 'too_short'

/** Names of the WebAuthn errors that browsers give when they end a request for a passkey. */
const passkeyUnused = ['NotAllowedError', 'AbortError', 'SecurityError', 'NotSupportedError']

export const useErrorText = () => {
  const { t, gap } = useTranslation()
  const format = useFormat()
  /** The time until the end of a limit. */
  const waitOf = (error: ApiError): string =>
    error.status === 429 && error.retryAfterSeconds !== undefined
      ? ` ${t('common.possibleAgain', { when: format.inSeconds(error.retryAfterSeconds) })}`
      : ''
  /** A sentence for each reason of a refused password. The message of the service names the fewest characters. */
  const refusalOf = ({ data, fields }: ApiError): string =>
    ((data as { reasons?: PasswordFault[] } | undefined)?.reasons ?? [])
      .map((reason, at) =>
        t(`passwordFaults.${reason}`, { min: /\d+/.exec(fields[at]?.message ?? '')?.[0] ?? '' }),
      )
      .join(gap)
  return (error: unknown): string => {
    if (isPartMissing(error)) return t('errors.partMissing')
    const name = error instanceof Error ? error.name : ''
    if (name === 'WorkFailed') return t('errors.workFailed')
    if (name === 'InvalidStateError') return t('errors.passkeyKnown')
    if (passkeyUnused.includes(name)) return t('errors.passkeyUnused')
    if (!(error instanceof ApiError)) return t('errors.unexpected')
    return error.reason === 'passwordRefused'
      ? refusalOf(error)
      : `${t(`errors.${error.reason}`)}${waitOf(error)}`
  }
}

const reasonsWithoutAnswer = ['network', 'timeout', 'unknown']

/** True if no answer came from the service. The request may still have had an effect. */
export const isUnsure = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 0 && reasonsWithoutAnswer.includes(error.reason)
