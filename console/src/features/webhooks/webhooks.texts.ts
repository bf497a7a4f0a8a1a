import type { Delivery, Webhook } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { useAuditTexts } from '../audit/audit.texts.ts'
import { useCallerNames } from '../users/users.queries.ts'

/** The service's English texts about a stopped webhook and a failed delivery, with their translations. */
const reasons = [
  [/^It was disabled by hand$/, 'webhooks.byHand'],
  [/^Its URL has not answered a test yet$/, 'webhooks.untestedText'],
  [/^Its secret is lost: make another one$/, 'webhooks.secretLost'],
  [/^Its last editor, (?<id>\d+), is gone: another one has to save it$/, 'webhooks.editorGone'],
  [/^Its last editor, (?<id>\d+), is disabled$/, 'webhooks.editorDisabled'],
  [/^Its last editor, (?<id>\d+), lacks (?<codes>.+)$/, 'webhooks.editorLacks'],
  [/^The receiver answered 410 Gone$/, 'webhooks.gone'],
  [/^No attempt succeeded for 3 days: (?<error>.+)$/, 'webhooks.noSuccess'],
  [/^The audit chain is broken: (?<breach>.+)$/, 'webhooks.chainBroken'],
] as const

const faults = [
  [/^the response was (?<status>\d+)$/, 'webhooks.answerWas'],
  [/^no answer within (?<seconds>\d+) seconds$/, 'webhooks.noAnswer'],
  [/^the connection failed: ECONNREFUSED$/, 'webhooks.connectionRefused'],
  [/^the connection failed: (?<code>.+)$/, 'webhooks.connectionFailedBy'],
  [/^the connection failed$/, 'webhooks.connectionFailed'],
  [/^the host has no address$/, 'webhooks.noAddress'],
  [/^the host has an address that is not public$/, 'webhooks.notPublic'],
] as const

/** The named groups of the patterns above. */
type Details = {
  breach?: string
  code?: string
  codes?: string
  error?: string
  id?: string
  seconds?: string
  status?: string
}

type Translations = readonly (readonly [RegExp, string])[]

/** The key and the details of a text of the service. Undefined for a text of another version. */
const read = <Texts extends Translations>(texts: Texts, text: string) => {
  for (const [pattern, key] of texts) {
    const found = pattern.exec(text)
    if (found) return { key: key as Texts[number][1], details: { ...found.groups } as Details }
  }
  return undefined
}

/** The reason why a delivery failed, on one line; "" if it did not fail. */
export const useFaultText = () => {
  const { t } = useTranslation()
  return (text: string): string => {
    const known = read(faults, text)
    return known ? t(known.key, known.details) : text
  }
}

/** The reason why a webhook sends nothing, as a sentence; "" while it works. */
export const useReason = ({ disabled_reason: text }: Pick<Webhook, 'disabled_reason'>): string => {
  const { t } = useTranslation()
  const faultOf = useFaultText()
  const known = read(reasons, text)
  const { id = '', error = '', ...details } = known?.details ?? {}
  const editor = useCallerNames(id === '' ? [] : [Number(id)])(Number(id))
  return known ? t(known.key, { ...details, editor, error: faultOf(error) }) : text
}

/** The reason why a webhook sends nothing, or why its last attempt failed; "" while it works. */
export const useTrouble = (webhook: Webhook): string => {
  const reason = useReason(webhook)
  const fault = useFaultText()(webhook.last_error ?? '')
  return reason || fault
}

/** True if another user can correct it by saving the webhook, and thus becomes its editor. */
export const isEditorMissing = ({ status, disabled_reason: reason }: Webhook): boolean =>
  status === 1 && reason.startsWith('Its last editor, ')

/** Texts of patterns and events: an action, `user.*`, `*`, or an event about the webhook itself. */
export const useEventTexts = () => {
  const { t } = useTranslation()
  const { ofAction, ofResource } = useAuditTexts()
  return (event: string): string => {
    if (event === '*') return t('webhooks.allEvents')
    if (event === 'webhook.gap') return t('webhooks.gap')
    if (event.endsWith('.*')) return t('webhooks.allOf', { resource: ofResource(event.slice(0, -2)) })
    return ofAction(event)
  }
}

/** The answer to the last attempt of a delivery, in one or two words. */
export const useAnswerText = () => {
  const faultOf = useFaultText()
  return ({ response_status: status, error }: Pick<Delivery, 'response_status' | 'error'>): string =>
    status > 0 ? String(status) : faultOf(error) || '–'
}
