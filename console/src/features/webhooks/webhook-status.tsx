import {
  IconAlertTriangle,
  IconCheck,
  IconClock,
  IconPlayerPause,
  IconPlayerSkipForward,
} from '@tabler/icons-react'
import type { Delivery, Webhook } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { Signed, StatusBadge } from '../../components/status-badge.tsx'
import { useFormat } from '../../format.ts'
import { isTestFailed, stateOf } from './webhooks.queries.ts'

export const WebhookStatus = ({ webhook }: { webhook: Webhook }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const state = stateOf(webhook)
  if (state === 'failing') {
    const { failing_since: since = '', backlog: count } = webhook
    const text = t('webhooks.failingSince', { since: format.timeOrMoment(since), count })
    return <Signed sign={IconAlertTriangle} text={text} className="status-bad" />
  }
  if (isTestFailed(webhook)) {
    return <Signed sign={IconAlertTriangle} text={t('webhooks.testFailed')} className="status-bad" />
  }
  if (state === 'untested') return <Signed sign={IconClock} text={t('webhooks.untested')} />
  if (state === 'stopped') {
    return <Signed sign={IconPlayerPause} text={t('webhooks.stopped')} className="status-bad" />
  }
  return <StatusBadge status={webhook.status} />
}

const looks = {
  delivered: { sign: IconCheck, className: 'status-on' },
  pending: { sign: IconClock, className: '' },
  failed: { sign: IconAlertTriangle, className: 'status-bad' },
  dead: { sign: IconPlayerSkipForward, className: 'status-off' },
}

export const DeliveryStatus = ({ status }: Pick<Delivery, 'status'>) => {
  const { t } = useTranslation()
  return <Signed {...looks[status]} text={t(`deliveryStates.${status}`)} />
}
