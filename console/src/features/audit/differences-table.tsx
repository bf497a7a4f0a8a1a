import { Badge, Group, Stack, Text } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Table } from '../../components/table.tsx'
import { useTranslation } from '../../translation.ts'
import { JsonView } from '../../components/json-view.tsx'
import { useFormat } from '../../format.ts'
import { useAuditTexts } from './audit.texts.ts'
import type { Difference, Differences } from './differences.ts'

/** The changes of each field: the values before and after. If the resource was created or deleted, only one value. */
export const DifferencesTable = ({ changes, hasBoth }: Differences) => {
  const { t } = useTranslation()
  const { ofField } = useAuditTexts()
  return (
    <Table className="differences" aria-label={t('auditLog.changes')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('auditLog.field')}</Table.Th>
          {hasBoth ? (
            <>
              <Table.Th>{t('auditLog.before')}</Table.Th>
              <Table.Th>{t('auditLog.after')}</Table.Th>
            </>
          ) : (
            <Table.Th>{t('auditLog.value')}</Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map((change) => (
          <Table.Tr key={change.field}>
            <Table.Th fw={500}>{ofField(change.field)}</Table.Th>
            <Sides change={change} hasBoth={hasBoth} />
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

const Sides = ({ change, hasBoth }: { change: Difference; hasBoth: boolean }) => {
  if (change.kind === 'list') return hasBoth ? <ListSides {...change} /> : <ListCell {...change} />
  const { field, from, to } = change
  if (!hasBoth) {
    return (
      <Table.Td>
        <Value field={field} value={from ?? to} />
      </Table.Td>
    )
  }
  return (
    <>
      <Table.Td className="before">
        <Value field={field} value={from} />
      </Table.Td>
      <Table.Td className="after">
        <Value field={field} value={to} />
      </Table.Td>
    </>
  )
}

type ListChange = Extract<Difference, { kind: 'list' }>

/** Removed items appear before, added items after, and the number of kept items on both sides. */
const ListSides = ({ added, removed, kept }: ListChange) => (
  <>
    <Table.Td className="before">
      <Stack gap={6}>
        <Removed items={removed} />
        <Kept count={kept} />
        {removed.length + kept === 0 && <Dimmed>–</Dimmed>}
      </Stack>
    </Table.Td>
    <Table.Td className="after">
      <Stack gap={6}>
        <Added items={added} />
        <Kept count={kept} />
        {added.length + kept === 0 && <Dimmed>–</Dimmed>}
      </Stack>
    </Table.Td>
  </>
)

const ListCell = ({ added, removed, kept }: ListChange) => (
  <Table.Td>
    <Stack gap={6}>
      <Removed items={removed} />
      <Added items={added} />
      <Kept count={kept} />
    </Stack>
  </Table.Td>
)

const Removed = ({ items }: { items: string[] }) => {
  const { t } = useTranslation()
  return <Items items={items} label={t('auditLog.removed')} color="red" icon={<IconMinus size={12} />} />
}

const Added = ({ items }: { items: string[] }) => {
  const { t } = useTranslation()
  return <Items items={items} label={t('auditLog.added')} color="teal" icon={<IconPlus size={12} />} />
}

const Kept = ({ count }: { count: number }) => {
  const { t } = useTranslation()
  if (count === 0) return null
  return (
    <Text size="xs" c="dimmed">
      {t('auditLog.kept', { count })}
    </Text>
  )
}

interface ItemsProps {
  items: string[]
  label: string
  color: string
  icon: ReactNode
}

const Items = ({ items, label, color, icon }: ItemsProps) =>
  items.length > 0 && (
    <Group gap={4} role="group" aria-label={label}>
      {items.map((item) => (
        <Badge
          key={item}
          variant="light"
          color={color}
          c="inherit"
          tt="none"
          fw={400}
          radius="sm"
          leftSection={icon}
        >
          {item}
        </Badge>
      ))}
    </Group>
  )

interface Large {
  bytes: number
  sha256: string
}

/** For a value that is too large for the log, the service records size and hash. */
const isLarge = (value: object): value is Large =>
  'bytes' in value && 'sha256' in value && Object.keys(value).length === 2

const Value = ({ field, value }: { field: string; value: unknown }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const textOf = useValueText(field)
  if (typeof value !== 'object' || value === null) return textOf(value)
  if (!isLarge(value)) return <JsonView value={value} label={t('auditLog.value')} />
  return t('auditLog.large', { size: format.bytes(value.bytes), sha256: value.sha256 })
}

const Dimmed = ({ children }: { children: string }) => (
  <Text span inherit c="dimmed">
    {children}
  </Text>
)

/** Texts for fields whose values are codes or units. */
const useFieldTexts = (): Record<string, (value: unknown) => string> => {
  const { t } = useTranslation()
  const { moment } = useFormat()
  return {
    status: (value) => (value === 1 ? t('common.enabled') : t('common.disabled')),
    created_at: (value) => moment(value as string),
    expires_at: (value) => moment(value as string),
    written_before: (value) => moment(value as string),
    // A setting can hold any JSON: "1" differs from 1, and null from an empty text.
    value: (value) => JSON.stringify(value),
  }
}

/** Formats values that are no objects. */
const useValueText = (field: string) => {
  const { t } = useTranslation()
  const texts = useFieldTexts()
  return (value: unknown) => {
    if (value === '[secret]') return <Dimmed>{t('auditLog.hidden')}</Dimmed>
    if (field !== 'value' && (value === null || value === '')) return <Dimmed>–</Dimmed>
    if (texts[field]) return texts[field](value)
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
}
