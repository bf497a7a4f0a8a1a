import { Box, Group, Table, Text } from '@mantine/core'
import type { AuditLog } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../format.ts'
import { useAuditTexts } from '../audit/audit.texts.ts'

const countByResource = (records: AuditLog[]): [string, number][] => {
  const counts = new Map<string, number>()
  for (const { resource } of records) counts.set(resource, (counts.get(resource) ?? 0) + 1)
  return [...counts].toSorted(([, one], [, other]) => other - one)
}

export const ResourceBars = ({ records }: { records: AuditLog[] }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { ofResource } = useAuditTexts()
  const counts = countByResource(records)
  const [, most] = counts[0] ?? ['', 1]
  return (
    <Table
      withRowBorders={false}
      verticalSpacing={9}
      horizontalSpacing={0}
      layout="fixed"
      aria-label={t('dashboard.byResource')}
    >
      <Table.Tbody>
        {counts.map(([resource, count]) => (
          <Table.Tr key={resource}>
            <Table.Th scope="row" w={112} fw={400} c="dimmed">
              {ofResource(resource)}
            </Table.Th>
            <Table.Td>
              <Group gap="xs" wrap="nowrap">
                <Box className="bar" w={`calc((100% - 3.5rem) * ${count / most})`} />
                <Text size="sm" className="numbers">
                  {format.count(count)}
                </Text>
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
