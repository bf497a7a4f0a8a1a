import { ApiError, type ErrorReason } from '@tenantry/client'
import { useTranslation } from '../translation.ts'
import { useFormat } from '../format.ts'
import { isPartMissing } from '../load-part.ts'

type PasswordFault = 'breached' | 'common' | 'personal' | 'too_short'

/** Names of the WebAuthn errors that browsers give when they end a request for a passkey. */
const passkeyUnused = ['NotAllowedError', 'AbortError', 'SecurityError', 'NotSupportedError']

type OwnReason = 'network' | 'timeout' | 'storage' | 'unknown'

const ownReasons: readonly string[] = ['network', 'timeout', 'storage', 'unknown'] satisfies OwnReason[]

/** True for a reason that no answer of the service has. */
const isOwn = (reason: ErrorReason): reason is OwnReason => ownReasons.includes(reason)

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
  const textOf = (reason: ErrorReason): string =>
    isOwn(reason) ? t(`ownErrors.${reason}`) : t(`errors.${reason}`)
  return (error: unknown): string => {
    if (isPartMissing(error)) return t('ownErrors.partMissing')
    const name = error instanceof Error ? error.name : ''
    if (name === 'WorkFailed') return t('ownErrors.workFailed')
    if (name === 'InvalidStateError') return t('ownErrors.passkeyKnown')
    if (passkeyUnused.includes(name)) return t('ownErrors.passkeyUnused')
    if (!(error instanceof ApiError)) return t('ownErrors.unexpected')
    return error.reason === 'passwordRefused' ? refusalOf(error) : `${textOf(error.reason)}${waitOf(error)}`
  }
}

const reasonsWithoutAnswer = ['network', 'timeout', 'unknown']

/** True if no answer came from the service. The request may still have had an effect. */
export const isUnsure = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 0 && reasonsWithoutAnswer.includes(error.reason)
