import { Stack, Text } from '@mantine/core'
import type { AuditLog } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import type { Column } from '../../components/table-model.ts'
import { TextLink } from '../../components/text-link.tsx'
import { useFormat } from '../../format.ts'
import type { useCallers } from '../users/users.queries.ts'
import { useAuditTexts } from './audit.texts.ts'

/** The link to the record is spread over its whole row. */
const What = ({ record: { id, action } }: { record: AuditLog }) => {
  const { t } = useTranslation()
  const text = useAuditTexts().ofAction(action)
  return (
    <Stack gap={0}>
      <TextLink
        to="."
        search={(others) => ({ ...others, id })}
        resetScroll={false}
        className="row-link"
        size="sm"
        fw={500}
        c="inherit"
        underline="never"
        aria-label={t('audit.open', { name: text })}
      >
        {text}
      </TextLink>
      {text !== action && (
        <Text size="xs" c="dimmed">
          {action}
        </Text>
      )}
    </Stack>
  )
}

const When = ({ at }: { at: string }) => {
  const format = useFormat()
  return (
    <Stack gap={0} className="numbers" style={{ whiteSpace: 'nowrap' }}>
      <Text size="sm">{format.moment(at)}</Text>
      <Text size="xs" c="dimmed">
        {format.ago(at)}
      </Text>
    </Stack>
  )
}

const Cut = ({ text, isDimmed = false }: { text: string; isDimmed?: boolean }) => (
  <Text size={isDimmed ? 'xs' : 'sm'} className="cut" title={text} {...(isDimmed ? { c: 'dimmed' } : {})}>
    {text}
  </Text>
)

const Who = ({ name, isAccount }: ReturnType<ReturnType<typeof useCallers>>) => {
  const { t } = useTranslation()
  return (
    <Stack gap={0}>
      <Cut text={name} />
      {isAccount && <Cut text={t('places.serviceAccount')} isDimmed />}
    </Stack>
  )
}

export const useAuditColumns = (callerOf: ReturnType<typeof useCallers>): Column<AuditLog>[] => {
  const { t } = useTranslation()
  const texts = useAuditTexts()
  return [
    { key: 'when', header: t('audit.when'), cell: ({ created_at }) => <When at={created_at} /> },
    { key: 'what', header: t('audit.what'), isFixed: true, cell: (record) => <What record={record} /> },
    { key: 'who', header: t('audit.who'), cell: ({ user_id }) => <Who {...callerOf(user_id)} /> },
    {
      key: 'resource',
      header: t('audit.resource'),
      cell: ({ resource, resource_id }) => (
        <Stack gap={0}>
          <Cut text={texts.ofResource(resource)} />
          <Cut text={resource_id} isDimmed />
        </Stack>
      ),
    },
    { key: 'ip', header: t('audit.ip'), cell: ({ ip }) => <Cut text={ip} /> },
    {
      key: 'trace',
      header: t('common.traceId'),
      isHidden: true,
      cell: ({ trace_id }) => <Cut text={trace_id} isDimmed />,
    },
  ]
}
