import { Stack, Text, VisuallyHidden } from '@mantine/core'
import type { AuditLog } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { Ago } from '../../components/ago.tsx'
import type { Column } from '../../components/table-model.ts'
import { TextLink } from '../../components/text-link.tsx'
import { useFormat } from '../../format.ts'
import { resourceNameOf, upper, useActors, useAuditTexts } from './audit.texts.ts'
import { Sentence, sentenceOf } from './sentence.tsx'

/** The link to the record covers its whole row. */
const ActionCell = ({ record }: { record: AuditLog }) => {
  const { t } = useTranslation()
  const { id, action } = record
  const { nameOf } = useActors()
  const [first, ...parts] = useAuditTexts().ofRecord(record)
  const sentence = first ? [{ ...first, text: upper(first.text) }, ...parts] : []
  const text = sentenceOf(sentence)
  return (
    <Stack gap={0}>
      <TextLink
        to="."
        search={(others) => ({ ...others, id })}
        resetScroll={false}
        className="row-link subject"
        title={text}
        size="sm"
        c="inherit"
        underline="never"
      >
        <VisuallyHidden>{t('audit.open')} </VisuallyHidden>
        <Sentence parts={sentence} />
      </TextLink>
      <Text size="xs" hiddenFrom="sm">
        {t('audit.by', { name: nameOf(record) })}
      </Text>
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
      <Ago at={at} size="xs" c="dimmed" />
    </Stack>
  )
}

const Cut = ({ text, isDimmed = false }: { text: string; isDimmed?: boolean }) => (
  <Text size={isDimmed ? 'xs' : 'sm'} className="cut" title={text} {...(isDimmed ? { c: 'dimmed' } : {})}>
    {text}
  </Text>
)

const Who = ({ record }: { record: AuditLog }) => {
  const { nameOf, noteOf } = useActors()
  const note = noteOf(record)
  return (
    <Stack gap={0}>
      <Cut text={nameOf(record)} />
      {note !== undefined && <Cut text={note} isDimmed />}
    </Stack>
  )
}

export const useAuditColumns = (): Column<AuditLog>[] => {
  const { t } = useTranslation()
  const texts = useAuditTexts()
  return [
    { key: 'when', width: 11, header: t('audit.when'), cell: ({ created_at }) => <When at={created_at} /> },
    { key: 'who', width: 11, header: t('audit.who'), cell: (record) => <Who record={record} /> },
    { key: 'what', header: t('audit.what'), isFixed: true, cell: (record) => <ActionCell record={record} /> },
    {
      key: 'resource',
      width: 11,
      header: t('audit.resource'),
      cell: (record) => (
        <Stack gap={0}>
          <Cut text={texts.ofResource(record.resource)} />
          <Cut text={resourceNameOf(record) ?? record.resource_id} isDimmed />
        </Stack>
      ),
    },
    { key: 'ip', width: 9.5, header: t('audit.ip'), cell: ({ ip }) => <Cut text={ip} /> },
    {
      key: 'trace',
      width: 17,
      header: t('common.traceId'),
      isHidden: true,
      cell: ({ trace_id }) => <Cut text={trace_id} isDimmed />,
    },
  ]
}
